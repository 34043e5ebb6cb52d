"""The looks of videos: a theme for each style, and for what was wished in words as far as it is understood."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from quire.adapters.rendering.colors import luminance, mixed
from quire.adapters.rendering.infographic.themes import THEMES, Theme
from quire.adapters.rendering.typefaces import Typeface
from quire.domain.infographics import ChartBlock, ComparisonBlock, FigureBlock, StepBlock
from quire.domain.video_overviews import AUTO, LOOKS, VideoLook, VideoOverview

YEAR = re.compile(r"\b1[0-9]{3}\b")
HISTORIC = 4

VIDEO_THEMES: dict[VideoLook, Theme] = {
    "classic": Theme(
        paper="#f7f9fc", ink="#1b2536", muted="#55606e", colors=("#1a4fa3", "#0f766e", "#b45309", "#9d174d", "#4c1d95"),
        cards=("#ffffff",), head="sans", body="sans", card="plain", backdrop="corner", radius=10,
    ),
    "whiteboard": Theme(
        paper="#fdfdfe", ink="#22262b", muted="#565d66", colors=("#1f5fbf", "#c0261c", "#1e7d3c", "#7a3fa0", "#a85a00"),
        cards=("#fefefe",), head="hand", body="hand", card="sketch", backdrop="board", line="#22262b",
    ),
    "heritage": Theme(
        paper="#eadbb9", ink="#2c1f12", muted="#5d4a33", colors=("#7a1f1f", "#2f4a3a", "#6b4f1d", "#28416b", "#5b2a4f"),
        cards=("#f7edd4",), head="serif", body="serif", card="ornate", backdrop="parchment", radius=0, line="#5a4020",
    ),
    "paper_craft": Theme(
        paper="#fbeedd", ink="#33261d", muted="#645244", colors=("#2f7f79", "#d9622b", "#c98a12", "#a83f5a", "#4a5fa3"),
        cards=("#fffaf2",), head="round", body="round", card="cut", backdrop="layers", radius=6,
    ),
    "watercolor": Theme(
        paper="#fcfaf5", ink="#26303a", muted="#55606a", colors=("#2f7fb0", "#b0487a", "#4f8f5a", "#b9832a", "#6a5aa8"),
        cards=("#fffefb",), head="serif", body="serif", card="wash", backdrop="washes", radius=0,
    ),
    "anime": THEMES["anime"],
    "retro_print": Theme(
        paper="#f3e7cc", ink="#1d2540", muted="#4d5064", colors=("#c43c2b", "#17706c", "#a36a06", "#3c4a8f", "#8a2f5c"),
        cards=("#fbf4e2",), head="round", body="sans", card="print", backdrop="halftone", radius=0, line="#1d2540",
    ),
    "kawaii": THEMES["kawaii"],
}  # fmt: skip

# Words of a wish, and the look or typeface that they mean; the first that is found is taken.
LOOK_WORDS: dict[VideoLook, re.Pattern[str]] = {
    "whiteboard": re.compile(
        r"\b(?:white ?board|hand[- ]?drawn|sketch\w*|doodle\w*|marker|gezeichnet|tafel|pizarra|tableau blanc)\b",
        re.IGNORECASE,
    ),
    "heritage": re.compile(
        r"\b(?:heritage|antique|parchment|medieval|victorian|historic\w*|sepia|pergament|ancien\w*|antigu\w*)\b",
        re.IGNORECASE,
    ),
    "paper_craft": re.compile(r"\b(?:paper|origami|collage|cut[- ]?out|papier|papel)\b", re.IGNORECASE),
    "watercolor": re.compile(
        r"\b(?:water ?colou?r|aquarell\w*|acuarela|painted|painting|brush\w*|gemalt)\b", re.IGNORECASE
    ),
    "anime": re.compile(r"\b(?:anime|manga|comic\w*|cartoon\w*)\b", re.IGNORECASE),
    "retro_print": re.compile(
        r"\b(?:retro|vintage|risograph|riso|screen ?print|halftone|poster|pop art|(?:19)?[5678]0s)\b", re.IGNORECASE
    ),
    "kawaii": re.compile(r"\b(?:kawaii|cute|pastel\w*|adorable|playful|niedlich|mignon\w*|lindo)\b", re.IGNORECASE),
    "classic": re.compile(
        r"\b(?:classic|clean|minimal\w*|corporate|professional|business|modern|simple|schlicht|sobre|sencillo)\b",
        re.IGNORECASE,
    ),
}
TYPE_WORDS: dict[Typeface, re.Pattern[str]] = {
    "serif": re.compile(r"\b(?:(?<!sans )(?<!sans-)serifs?|book type|bookish|elegant|serifen\w*)\b", re.IGNORECASE),
    "hand": re.compile(r"\b(?:hand ?writ\w*|handschrift\w*|chalk\w*|manuscrit\w*)\b", re.IGNORECASE),
    "round": re.compile(r"\b(?:round(?:ed)?|bubbly|friendly|rund\w*|redond\w*)\b", re.IGNORECASE),
    "sans": re.compile(r"\b(?:sans(?:[- ]serif)?|helvetica|grotesk\w*|swiss)\b", re.IGNORECASE),
}
COLOR_WORDS = {
    "#14305c": re.compile(r"\b(?:navy|dark ?blue|dunkelblau)\b", re.IGNORECASE),
    "#1d4ed8": re.compile(r"\b(?:blue|blau|bleu|azul)\b", re.IGNORECASE),
    "#0f766e": re.compile(r"\b(?:teal|turquoise|türkis)\b", re.IGNORECASE),
    "#15803d": re.compile(r"\b(?:green|grün|vert|verde)\b", re.IGNORECASE),
    "#b91c1c": re.compile(r"\b(?:red|rot|rouge|rojo)\b", re.IGNORECASE),
    "#c2410c": re.compile(r"\b(?:orange)\b", re.IGNORECASE),
    "#a16207": re.compile(r"\b(?:yellow|gold\w*|gelb|jaune|amarillo)\b", re.IGNORECASE),
    "#7e22ce": re.compile(r"\b(?:purple|violet|lila|violett|morado)\b", re.IGNORECASE),
    "#be185d": re.compile(r"\b(?:pink|rosa|rose)\b", re.IGNORECASE),
    "#7c4a1e": re.compile(r"\b(?:brown|braun|marron|marrón)\b", re.IGNORECASE),
    "#4b5563": re.compile(r"\b(?:gr[ae]y|grau|gris)\b", re.IGNORECASE),
}
DARK = re.compile(r"\b(?:dark|black|night|noir|dunkel|schwarz|sombre|oscuro|neon|space)\b", re.IGNORECASE)
LIGHT = re.compile(r"\b(?:light|white|bright|hell|weiß|clair|blanc|claro|blanco)\b", re.IGNORECASE)
HEX = re.compile(r"#[0-9a-fA-F]{6}\b")
MOST_COLORS = 3


@dataclass(frozen=True)
class Look:
    """A theme, the style that it comes from, and the words of a wish that were heeded."""

    theme: Theme
    name: VideoLook
    heeded: tuple[str, ...] = ()


def look_of(video: VideoOverview) -> Look:
    if video.style in LOOKS:
        return Look(VIDEO_THEMES[video.style], video.style)
    if video.style == AUTO or not video.wish:
        name = fitting(video)
        return Look(VIDEO_THEMES[name], name)
    return wished(video.wish, fitting(video))


def fitting(video: VideoOverview) -> VideoLook:
    """The style that fits what there is to show."""
    blocks = [scene.block for scene in video.scenes if scene.block is not None]
    if any(isinstance(block, StepBlock) for block in blocks):
        return "whiteboard"
    told = [line.statement.text for scene in video.scenes for line in scene.lines if line.statement]
    counted = any(isinstance(block, ChartBlock | ComparisonBlock | FigureBlock) for block in blocks)
    if not counted and sum(bool(YEAR.search(text)) for text in told) >= HISTORIC:
        return "heritage"
    return "classic"


def wished(wish: str, otherwise: VideoLook) -> Look:
    """The look that a wish in words comes nearest to; which of its words were understood is told."""
    heeded: list[str] = []

    def found(pattern: re.Pattern[str]) -> bool:
        match = pattern.search(wish)
        if match is not None:
            heeded.append(match[0])
        return match is not None

    name = next((look for look, pattern in LOOK_WORDS.items() if found(pattern)), otherwise)
    theme = VIDEO_THEMES[name]
    face = next((face for face, pattern in TYPE_WORDS.items() if found(pattern)), None)
    if face is not None:
        theme = replace(theme, head=face, body=face)
    named = [color for color, pattern in COLOR_WORDS.items() if found(pattern)]
    given = HEX.findall(wish)
    heeded += given
    colors = tuple([*(color.lower() for color in given), *named][:MOST_COLORS])
    if dark := DARK.search(wish):
        heeded.append(dark[0])
    elif light := LIGHT.search(wish):
        heeded.append(light[0])
        theme = replace(theme, paper="#ffffff", cards=("#ffffff",))
    if colors:
        theme = replace(theme, colors=(*colors, *theme.colors), line=mixed(colors[0], "#000000", 0.5))
        if not dark and not LIGHT.search(wish):
            theme = replace(theme, paper=mixed(colors[0], "#ffffff", 0.88))
    return Look(_darkened(theme) if dark else theme, name, tuple(dict.fromkeys(heeded)))


def _darkened(theme: Theme) -> Theme:
    """The same on a dark ground: everything that is written is light, and colours are bright enough to be seen."""
    first = theme.colors[0]
    paper = mixed(first, "#0b1020", 0.86)
    bright = tuple(color if luminance(color) > 0.3 else mixed(color, "#ffffff", 0.45) for color in theme.colors)
    card = mixed(paper, "#ffffff", 0.06)
    return replace(
        theme,
        paper=paper,
        cards=(card,),
        ink="#f3f5fa",
        muted="#c0c8d6",
        colors=bright,
        line=mixed(paper, "#ffffff", 0.5),
    )
