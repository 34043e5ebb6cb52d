"""Sources to make artifacts of, and a way from a kind's name to its content."""

from __future__ import annotations

from typing import Any

from quire.domain.artifact_options import OPTIONS
from quire.studio.evidence import Evidence, Hit, gathered
from quire.studio.kind import Brief
from quire.studio.kinds import kind_of
from quire.studio.source_text import SourceText

OWLS = """# Owls

Owls are birds of the order Strigiformes. Most owls hunt at night and rest by day. There are about 250 species of owl,
and they live on every continent except Antarctica. It is said that they are wise.

## Hearing

The ears of a barn owl sit at different heights. A barn owl can find a mouse in total darkness by its sound alone.
The facial disc is a ring of stiff feathers that leads sound to the ears. See also the next section for details.

## Flight

Soft fringes on the wing feathers break up the air and make the flight of an owl almost silent. The wingspan of the
Eurasian eagle-owl reaches 188 centimetres. A pellet is a lump of bones and fur that an owl coughs up.

## Food

Barn owls in Europe eat mostly voles. A family of barn owls eats about 3,000 rodents in one season. In 1987 a study in
Scotland counted 5,200 pellets.

| Species | Weight in g | Clutch |
| --- | --- | --- |
| Barn owl | 480 | 4 to 7 |
| Tawny owl | 520 | 2 to 5 |
| Elf owl | 40 | 1 to 5 |
| Snowy owl | 2,000 | 3 to 11 |

## References

Smith, J. Owls of the world. Retrieved 12 May 2019 from www.example.org.
"""
LIGHTHOUSES = """# Lighthouses

A lighthouse is a tower that shows ships the way by its light. The Fresnel lens was invented by Augustin Fresnel in 1822
and made the light visible from 32 kilometres. Keepers lived in the tower until the lights became automatic.

## Building

The Bell Rock lighthouse stands on a reef off the coast of Scotland and was finished in 1810. Granite blocks were cut so
that they lock into each other. The Eddystone lighthouse was built by John Smeaton in 1759.

## Signals

Each lighthouse has a pattern of flashes of its own. Sailors find the pattern in a list of lights. A foghorn sounds
when the light cannot be seen.

- Flashing: the light is shorter than the darkness.
- Occulting: the darkness is shorter than the light.
- Fixed: the light never goes out.
"""
WAELDER = """# Wälder

Ein Wald ist ein Ökosystem, in dem Bäume das Bild bestimmen. In Deutschland sind 32 Prozent der Fläche bewaldet. Die
Fichte ist der häufigste Baum in den deutschen Wäldern.

## Nutzen

Ein Hektar Wald bindet im Jahr etwa 6 Tonnen Kohlendioxid. Der Boden eines Waldes speichert Wasser wie ein Schwamm.
Viele Menschen erholen sich im Wald von der Arbeit.

## Gefahren

Der Borkenkäfer ist ein Käfer, der geschwächte Fichten befällt. Stürme haben im Jahr 2018 große Flächen umgeworfen.
Trockene Sommer schwächen die Bäume und machen sie anfällig.
"""


def source(text: str, title: str, language: str = "en") -> SourceText:
    return SourceText(f"id-{title}", title, 1, "text", language, text)


def evidence(*sources: SourceText, focus: tuple[Hit, ...] = ()) -> Evidence:
    return gathered(sources or (source(OWLS, "Owls"), source(LIGHTHOUSES, "Lighthouses")), focus)


def content(name: Any, given: Evidence | None = None, language: str = "en", **options: str) -> Any:
    kind = kind_of(name)
    brief = Brief(OPTIONS[name](**options), "", language, "", "Night and light")
    outline = kind.outline(given or evidence(), brief)
    # What is kept between the steps is all that the next one needs.
    outline = kind.outline_type.model_validate_json(outline.model_dump_json())
    return kind.content(outline, brief)
