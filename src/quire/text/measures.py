"""Measures: numbers in digits and words, units, months, as they are written in several languages."""

from __future__ import annotations

from dataclasses import dataclass

LONGEST = 30
SAME_VALUE = 1e-9
HALVES = frozenset({"half", "hälfte", "moitié", "mitad", "половина", "половину"})

_UNITS = """
percent 1 % percent prozent pourcent процент процента процентов процентами
euro 1 € eur euro euros евро
dollar 1 $ usd us$ dollar dollars доллар доллара долларов dólar dólares
pound 1 £ gbp pound pounds pfund livre livres libra libras фунт фунтов
yen 1 ¥ jpy yen иен
franc 1 chf franc francs franken
krone 1 krone kroner krona kronor nok sek dkk
ruble 1 ₽ rub рубль рубля рублей
length 1 m metre metres meter meters mètre mètres metro metros метр метра метров
length 1000 km kilometre kilometres kilometer kilometers kilomètre kilomètres kilómetro kilómetros
length 1000 км километр километра километров
length 0.01 cm centimetre centimetres centimeter centimeters см zentimeter
length 0.001 mm millimetre millimetres millimeter millimeters мм
length 1609.344 mi mile miles meile meilen milla millas миля миль
length 0.3048 ft foot feet fuß
length 0.0254 inch inches zoll
weight 1 g gram grams gramm gramme grammes gramo gramos грамм граммов
weight 1000 kg kilogram kilograms kilogramm kilo kilos kilogramme kilogrammes кг килограмм килограммов
weight 1000000 t ton tons tonne tonnes tonnen tonelada toneladas тонна тонн тонны
volume 1 l litre litres liter liters litro litros литр литра литров
volume 0.001 ml millilitre millilitres milliliter milliliters мл
time 1 s sec second seconds sekunde sekunden seconde secondes segundo segundos секунда секунд секунды
time 60 min minute minutes minuten minuto minutos минута минут минуты
time 3600 h hr hrs hour hours stunde stunden heure heures hora horas час часа часов
time 86400 day days tag tage tagen jour jours día días день дня дней
time 604800 week weeks woche wochen semaine semaines semana semanas неделя недели недель
month 1 month months monat monate monaten mois mes meses месяц месяца месяцев
month 12 year years jahr jahre jahren an ans année années año años лет
celsius 1 °c celsius
fahrenheit 1 °f fahrenheit
degree 1 ° degree degrees grad degré degrés grado grados градус градуса градусов
data 1000 kb kilobyte kilobytes
data 1000000 mb megabyte megabytes
data 1000000000 gb gigabyte gigabytes
speed 1 m/s
speed 1000 km/s
speed 0.277778 km/h kph
power 1 w watt watts
power 1000 kw kilowatt kilowatts
"""
UNITS: dict[str, tuple[str, float]] = {
    word: (dimension, float(factor))
    for dimension, factor, *words in (line.split() for line in _UNITS.strip().splitlines())
    for word in words
}
SYMBOLS = frozenset("€$£¥₽")
# Units of time are also told apart where no number stands before them: "a day" is not "an hour".
SPOKEN_UNITS = frozenset(word for word, (kind, _) in UNITS.items() if kind in ("time", "month") and len(word) > 2)

_SCALES = """
100 hundred hundert cent cien cientos сто сотен
1000 thousand tausend mille mil тысяча тысячи тысяч тыс
1000000 million millions millionen mio millones millón миллион миллиона миллионов млн
1000000000 billion billions milliarde milliarden mrd milliard milliards миллиард миллиарда миллиардов млрд
"""
SCALES: dict[str, float] = {
    word: float(value) for value, *words in (line.split() for line in _SCALES.strip().splitlines()) for word in words
}
_COUNTS = """
2 two zwei deux dos два две двух twice zweimal дважды
3 three drei trois tres три трёх трех
4 four vier quatre cuatro четыре четырёх четырех
5 five fünf cinq cinco пять пяти
6 six sechs seis шесть шести
7 seven sieben sept siete семь семи
8 eight acht huit ocho восемь восьми
9 nine neun neuf nueve девять девяти
10 ten zehn dix diez десять десяти
11 eleven elf onze once одиннадцать одиннадцати
12 twelve zwölf douze doce двенадцать двенадцати dozen dutzend
13 thirteen dreizehn treize trece тринадцать тринадцати
14 fourteen vierzehn quatorze catorce четырнадцать четырнадцати
15 fifteen fünfzehn quinze quince пятнадцать пятнадцати
16 sixteen sechzehn seize шестнадцать шестнадцати
17 seventeen siebzehn семнадцать семнадцати
18 eighteen achtzehn восемнадцать восемнадцати
19 nineteen neunzehn девятнадцать девятнадцати
20 twenty zwanzig vingt veinte двадцать двадцати
30 thirty dreißig trente treinta тридцать тридцати
40 forty vierzig quarante cuarenta сорок сорока
50 fifty fünfzig cinquante cincuenta пятьдесят пятидесяти
60 sixty sechzig soixante sesenta шестьдесят шестидесяти
70 seventy siebzig setenta семьдесят семидесяти
80 eighty achtzig quatre-vingts ochenta восемьдесят восьмидесяти
90 ninety neunzig noventa девяносто
"""
COUNTS: dict[str, float] = {
    word: float(value) for value, *words in (line.split() for line in _COUNTS.strip().splitlines()) for word in words
}
# Number words of one language that are other words in another ("once" is eleven in Spanish only).
OTHERWISE: dict[str, frozenset[str]] = {
    "once": frozenset({"es"}),
    "six": frozenset({"en", "fr"}),
    "elf": frozenset({"de"}),
}
_MONTHS = (
    "january jan januar janvier enero января январь|february feb februar février febrero февраля февраль"
    "|march mar märz mars marzo марта март|april apr avril abril апреля апрель|may mai mayo мая май"
    "|june jun juni juin junio июня июнь|july jul juli juillet julio июля июль|august aug août agosto августа август"
    "|september sep sept septembre septiembre сентября сентябрь|october oct oktober okt octobre octubre октября октябрь"
    "|november nov novembre noviembre ноября ноябрь|december dec dezember dez décembre diciembre декабря декабрь"
)
MONTHS: dict[str, int] = {word: number for number, words in enumerate(_MONTHS.split("|"), 1) for word in words.split()}
# Months that are other words too: they need a number beside them, or a capital where months have one.
DOUBTFUL = frozenset(
    ("may", "march", "mars", "mar", "mai", "sept", "sep", "jun", "jul", "dec", "jan", "aug", "nov", "oct")
)


@dataclass(frozen=True)
class Measure:
    """A number with its unit, or a day (`month`, `day`, `year`, each perhaps unknown)."""

    value: float | str | None = None
    unit: str = ""
    year: int | None = None
    month: int | None = None
    day: int | None = None

    def meets(self, other: Measure) -> bool:
        """Whether a source that has `other` bears this out."""
        if self.month is not None:
            known = [(self.year, other.year), (self.month, other.month), (self.day, other.day)]
            return other.month is not None and all(own in (None, theirs) for own, theirs in known)
        if other.month is not None:
            return self.value in (other.year, other.day) and not self.unit
        if isinstance(self.value, str) or isinstance(other.value, str) or self.value is None or other.value is None:
            return self.value == other.value
        kind, factor = UNITS.get(self.unit, ("", 1.0))
        theirs, other_factor = UNITS.get(other.unit, ("", 1.0))
        if {kind, theirs} == {"celsius", "degree"} or not (kind and theirs):
            factor = other_factor = 1.0
        elif kind != theirs:
            return False
        one, two = self.value * factor, other.value * other_factor
        return abs(one - two) <= SAME_VALUE * max(abs(one), abs(two))


def value_of(digits: str) -> float | str:
    """`12,500`, `12.500` and `12 500` are the same; `3.2.1` and what is very long stay as they are written."""
    plain = "".join(digits.split())
    if len(plain) > LONGEST:
        return plain
    parts = plain.replace(",", ".").split(".")
    if len(parts) == 1:
        return float(plain)
    grouped = all(len(part) == 3 for part in parts[1:]) and len(parts[0]) <= 3 and parts[0] != "0"
    if grouped:
        return float("".join(parts))
    if all(len(part) == 3 for part in parts[1:-1]) and (len(parts) == 2 or len(parts[0]) <= 3):
        return float("".join(parts[:-1]) + "." + parts[-1])
    return plain


def word_value(word: str, language: str) -> float | None:
    """What a number word says: `twelve`, `fifty-seven`, `quatre-vingt-quinze`."""
    if language not in OTHERWISE.get(word, {language}):
        return None
    if word in COUNTS:
        return COUNTS[word]
    if "-" not in word or len(word) > LONGEST:
        return None
    base = 80.0 if word.startswith("quatre-vingt-") else 0.0
    parts = word.removeprefix("quatre-vingt-").split("-")
    values = [COUNTS.get(part, 1.0 if part in ("one", "un") else None) for part in parts]
    return base + sum(value for value in values if value) if all(values) else None
