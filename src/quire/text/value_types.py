"""Value types: whether a value, or the label that it stands under, is of the type that a question wants."""

from __future__ import annotations

import re
from functools import cache

from quire.text.measures import UNITS
from quire.text.question_tables import Wanted
from quire.text.wanted import CASED, CONTACT, DAY, DURATION, EXACT, MONEY, NUMBER, TIME
from quire.text.words import tokens

# What columns and lines are called that hold such a thing.
LABELS: dict[Wanted, str] = {
    "duration": "duration length time runtime term period dauer laufzeit zeit durée temps duración tiempo durata"
    " продолжительность длительность время срок 时长 时间 期限",
    "date": "date day when until due deadline start end begin expires valid datum tag wann bis frist termin beginn ende"
    " quand jour échéance début fin fecha día cuándo hasta plazo inicio data дата когда срок день 日期 时间 截止",
    "money": "price cost amount total sum fee rent charge budget value paid bill salary fare preis kosten betrag summe"
    " gebühr gesamt miete prix coût montant frais loyer precio coste costo importe tarifa alquiler цена стоимость"
    " сумма итого плата 价格 金额 费用 总计 单价",
    "count": "number count quantity qty amount total pieces anzahl menge zahl stück nombre quantité cantidad número"
    " количество число 数量 人数 次数",
    "person": "who name person responsible owner contact author by assigned assignee lead manager chair member"
    " employee customer client wer verantwortlich zuständig inhaber leiter autor kontakt kunde qui nom personne"
    " responsable auteur quién nombre persona autor contacto cliente кто имя фио ответственный автор 姓名 名字 负责人"
    " 作者 联系人",
    "place": "where place location city town country address region state room venue site wo ort stadt land adresse"
    " raum straße où lieu ville pays salle dónde lugar ciudad país dirección sala где место город страна адрес 地点"
    " 地址 城市 国家 住址",
}
# What is asked by an adjective ("how hot"), what columns are called that tell it, and the kinds of units it comes in.
_QUANTITIES = """
hot cold warm cool heiß kalt chaud froid caliente frío | temperature temp temperatur température temperatura
температура 温度 | celsius fahrenheit degree;
far apart distant weit entfernt loin lejos | distance spacing range abstand entfernung espacement distancia расстояние
距离 间距 | length;
tall high hoch haut alto | height elevation altitude höhe hauteur altura высота 高度 | length;
deep tief profond profundo | depth tiefe profondeur profundidad глубина 深度 | length;
wide broad breit large ancho | width breite largeur anchura ширина 宽度 | length;
long lang | length duration länge dauer longueur durée longitud duración длина 长度 | length time month;
heavy schwer lourd pesado | weight mass gewicht masse poids peso вес масса 重量 | weight;
old alt âgé | age alter âge edad возраст 年龄 | month;
big large groß grand grande | size area capacity größe fläche taille surface tamaño superficie площадь размер 面积
大小 | area;
fast quick schnell vite rápido | speed velocity geschwindigkeit vitesse velocidad скорость 速度 | speed
"""
QUANTITIES: list[tuple[frozenset[str], str, frozenset[str]]] = [
    (frozenset(asked.split()), labels, frozenset(kinds.split()))
    for asked, labels, kinds in (entry.split("|") for entry in _QUANTITIES.split(";"))
]
_KNOWN_KINDS = frozenset(kind for kind, _ in UNITS.values())
NAMED_QUANTITY = re.compile(
    r"\b(temperature|temperatur|température|temperatura|weight|gewicht|poids|peso|height|höhe|hauteur|altura|depth|tiefe"
    r"|profondeur|width|breite|largeur|speed|geschwindigkeit|vitesse|velocidad)\b",
    re.IGNORECASE,
)
HOW = re.compile(r"\b(?:how|wie)\s+(\w+)(?:\s+(apart|away))?", re.IGNORECASE)
UNIT = re.compile(r"[^\W\d_]+(?:/[^\W\d_]+)?|°[CF]?|%")
CAPITAL = re.compile(r"[^\W\d_a-zа-яё]")


@cache
def type_words(wanted: Wanted, language: str | None) -> frozenset[str]:
    """What things of a type are called, as words and as their stems."""
    return frozenset(tokens(LABELS.get(wanted, ""), language)) | frozenset(LABELS.get(wanted, "").split())


def label_fits(wanted: Wanted, label: str, language: str | None) -> bool:
    """Whether a label says that such things stand under it."""
    known = type_words(wanted, language)
    words = {*tokens(label, language), *re.findall(r"\w+", label.casefold())}
    return bool(words & known) or any(len(name) > 1 and not name.isascii() and name in label for name in known)


def is_of_type(wanted: Wanted, value: str) -> bool:
    """Whether a value is plainly such a thing."""
    if wanted == "duration":
        return DURATION.search(value) is not None
    if wanted == "date":
        return TIME.search(value) is not None
    if wanted == "money":
        return MONEY.search(value) is not None
    if wanted == "contact":
        return CONTACT.search(value) is not None
    if wanted in ("count", "number"):
        return NUMBER.search(DAY.sub(" ", value)) is not None
    if wanted in ("person", "place", "name"):
        cased = CASED.search(value) is not None
        return not any(letter.isdigit() for letter in value) and (not cased or CAPITAL.search(value) is not None)
    return True


def can_answer(wanted: Wanted, label: str, value: str, language: str | None) -> bool:
    """Whether a value can be what is wanted, of the type by itself or by its label."""
    if wanted in EXACT:
        dated = value if wanted == "date" else DAY.sub(" ", value)
        return NUMBER.search(dated) is not None and (
            wanted == "number" or is_of_type(wanted, value) or label_fits(wanted, label, language)
        )
    return wanted not in ("person",) or is_of_type(wanted, value)


def measures(word: str, said: str, language: str | None) -> bool:
    """Whether a word names a quantity, as `weight` does, and a text has a number of it in one of its units."""
    return any(
        word in tokens(labels, language) and NUMBER.search(said) is not None and _kinds(said) & kinds
        for _, labels, kinds in QUANTITIES
    )


def _kinds(said: str) -> set[str]:
    return {UNITS[unit.casefold()][0] for unit in UNIT.findall(said) if unit.casefold() in UNITS}


class Quantity:
    """What a question asks for by an adjective: `words` are those that ask for it."""

    def __init__(self, question: str) -> None:
        found = HOW.search(question)
        self.words = frozenset(word.casefold() for word in found.groups() if word) if found else frozenset[str]()
        entry = next(((labels, kinds) for asked, labels, kinds in QUANTITIES if asked & self.words), None)
        if entry is None and (named := NAMED_QUANTITY.search(question)):
            # "What is her temperature?": asked for by its name.
            self.words = frozenset({named[1].casefold()})
            entry = next(((labels, kinds) for _, labels, kinds in QUANTITIES if self.words & set(labels.split())), None)
        self.labels, self._kinds = entry or ("", frozenset[str]())

    def __bool__(self) -> bool:
        return bool(self.labels)

    def told_in(self, said: str, language: str | None) -> bool:
        """Whether a text can tell it: by a unit, where its units are known, or by a word for it."""
        if not self.labels or not self._kinds & _KNOWN_KINDS or self.measured_in(said):
            return True
        known = {*tokens(self.labels, language), *self.words}
        return not known.isdisjoint({*tokens(said, language), *said.casefold().split()})

    def named_by(self, label: str, language: str | None) -> bool:
        """Whether a column is called as one that tells it."""
        names = {*tokens(self.labels, language), *self.labels.split()}
        return bool({*tokens(label, language), label.casefold()} & names)

    def measured_in(self, said: str) -> bool:
        """Whether a value, or the head of a column, has a unit that it comes in."""
        return bool(_kinds(said) & self._kinds)
