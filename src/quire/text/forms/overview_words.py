"""The words of overviews, by language."""

from __future__ import annotations

SECTIONS: dict[str, str] = {
    "en": "Sections: {}.",
    "de": "Abschnitte: {}.",
    "fr": "Sections : {}.",
    "es": "Secciones: {}.",
    "ru": "Разделы: {}.",
    "zh": "章节：{}。",
}
MORE: dict[str, str] = {
    "en": "And {} more sources.",
    "de": "Und {} weitere Quellen.",
    "fr": "Et {} autres sources.",
    "es": "Y {} fuentes más.",
    "ru": "Ещё источников: {}.",
    "zh": "另有{}个来源。",
}
