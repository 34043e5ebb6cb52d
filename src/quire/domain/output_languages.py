"""The languages in which Quire is asked to speak and to make things: code and own name, as NotebookLM has them."""

from __future__ import annotations

from quire.domain.errors import InvalidInput

LANGUAGES: dict[str, str] = {
    "en": "English",
    "zh_Hans": "中文（简体）",
    "zh_Hant": "中文（繁體）",
    "es": "Español",
    "es_419": "Español (Latinoamérica)",
    "es_MX": "Español (México)",
    "hi": "हिन्दी",
    "ar_001": "العربية",
    "ar_eg": "العربية (مصر)",
    "pt_BR": "Português (Brasil)",
    "pt_PT": "Português (Portugal)",
    "bn": "বাংলা",
    "ru": "Русский",
    "ja": "日本語",
    "pa": "ਪੰਜਾਬੀ",
    "de": "Deutsch",
    "jv": "Basa Jawa",
    "ko": "한국어",
    "fr": "Français",
    "fr_CA": "Français (Canada)",
    "te": "తెలుగు",
    "vi": "Tiếng Việt",
    "mr": "मराठी",
    "ta": "தமிழ்",
    "tr": "Türkçe",
    "ur": "اردو",
    "it": "Italiano",
    "th": "ไทย",
    "gu": "ગુજરાતી",
    "fa": "فارسی",
    "pl": "Polski",
    "uk": "Українська",
    "ml": "മലയാളം",
    "kn": "ಕನ್ನಡ",
    "or": "ଓଡ଼ିଆ",
    "my": "မြန်မာဘာသာ",
    "sw": "Kiswahili",
    "nl_NL": "Nederlands",
    "ro": "Română",
    "hu": "Magyar",
    "el": "Ελληνικά",
    "cs": "Čeština",
    "sv": "Svenska",
    "be": "Беларуская",
    "bg": "Български",
    "hr": "Hrvatski",
    "sk": "Slovenčina",
    "da": "Dansk",
    "fi": "Suomi",
    "nb_NO": "Norsk Bokmål",
    "nn_NO": "Norsk Nynorsk",
    "he": "עברית",
    "iw": "עברית",
    "id": "Bahasa Indonesia",
    "ms": "Bahasa Melayu",
    "fil": "Filipino",
    "ceb": "Cebuano",
    "sr": "Српски",
    "sl": "Slovenščina",
    "sq": "Shqip",
    "mk": "Македонски",
    "lt": "Lietuvių",
    "lv": "Latviešu",
    "et": "Eesti",
    "hy": "Հայերեն",
    "ka": "ქართული",
    "az": "Azərbaycanca",
    "af": "Afrikaans",
    "am": "አማርኛ",
    "eu": "Euskara",
    "ca": "Català",
    "gl": "Galego",
    "is": "Íslenska",
    "la": "Latina",
    "ne": "नेपाली",
    "ps": "پښتو",
    "sd": "سنڌي",
    "si": "සිංහල",
    "ht": "Kreyòl Ayisyen",
    "kok": "कोंकणी",
    "mai": "मैथिली",
}

# What is meant by a code without its region or script, where several have it.
FIRST = {"zh": "zh_Hans", "pt": "pt_BR", "ar": "ar_001", "zh_cn": "zh_Hans", "zh_tw": "zh_Hant"}
_BY_NAME = {name.casefold(): code for code, name in LANGUAGES.items()}
_BY_CODE = {code.casefold(): code for code in LANGUAGES}


def output_language(given: str) -> str:
    """The code of a language, by its code in any spelling (`pt-BR`, `zh`) or by its own name."""
    said = given.strip().casefold()
    code = said.replace("-", "_")
    for tried in (code, FIRST.get(code, "").casefold(), code.partition("_")[0]):
        if tried in _BY_CODE:
            return _BY_CODE[tried]
    if said in _BY_NAME:
        return _BY_NAME[said]
    raise InvalidInput(
        f"'{given[:40]}' is not a language that Quire knows.",
        hint="`quire setting languages` lists them.",
        field="language",
    )


def named_language(code: str) -> str:
    """A language as a model is told of it."""
    name = LANGUAGES.get(code)
    return f"{name} ({code})" if name else code
