"""What hosts of audio and video overviews say in their own words: they greet, ask, lead over, and claim nothing."""

from __future__ import annotations

from typing import NamedTuple

from quire.text.words import language_code


class Phrases(NamedTuple):
    """The phrases of one language; `{}` is where a name comes. Of each tuple the next is taken in turn."""

    title: str
    host: str
    welcome: str
    sources: tuple[str, str]
    chapter: tuple[str, ...]
    ask: tuple[str, ...]
    more: tuple[str, ...]
    answer: tuple[str, ...]
    critique: str
    doubt: tuple[str, ...]
    caution: tuple[str, ...]
    debate: str
    one_side: tuple[str, ...]
    other_side: tuple[str, ...]
    brief: str
    close: tuple[str, str]
    narrator: str
    video: str
    watched: str
    in_view: tuple[str, ...]
    steps: str


PHRASES: dict[str, Phrases] = {
    "en": Phrases(
        title="Audio overview: {}",
        host="Host {}",
        welcome="Welcome. Today we look at {}.",
        sources=("We go by one source.", "We go by {} sources."),
        chapter=("Let us begin with {}.", "Now to {}.", "Next, {}.", "That brings us to {}.", "On to {}."),
        ask=(
            "What is there to know about it?",
            "What do we read about that?",
            "What stands out to you?",
            "And what else is there?",
            "Can you tell me more?",
        ),
        more=("And there is more.", "Then there is this.", "We also read this.", "I noted this as well.", ""),
        answer=("", "Here is what we read.", "This is how it is put.", ""),
        critique="We go through it with a critical eye: first what is said, then what gives pause.",
        doubt=("What gives you pause there?", "How far does that carry?", "What should we be careful about?"),
        caution=("We should weigh this.", "I would keep this in mind.", "Let us hold this beside it."),
        debate="We take turns: one of us makes the case, the other holds against it.",
        one_side=("My case is this.", "I would begin here.", "For my side I name this."),
        other_side=("I would hold this beside it.", "Consider this as well.", "From my side I answer with this."),
        brief="Here are the main points.",
        close=(
            "That was our look at {}. The transcript names the source of every statement.",
            "Thank you for listening.",
        ),
        narrator="Narrator",
        video="Video overview: {}",
        watched="Thank you for watching.",
        in_view=("Here are the figures in view.", "The numbers side by side."),
        steps="This is how it goes, step by step.",
    ),
    "de": Phrases(
        title="Audio-Überblick: {}",
        host="Stimme {}",
        welcome="Willkommen. Heute geht es um {}.",
        sources=("Wir haben eine Quelle.", "Wir haben {} Quellen."),
        chapter=("Beginnen wir mit {}.", "Nun zu {}.", "Als Nächstes: {}.", "Das bringt uns zu {}.", "Weiter mit {}."),
        ask=(
            "Was ist darüber zu erfahren?",
            "Was lesen wir dazu?",
            "Was fällt dir auf?",
            "Und was noch?",
            "Kannst du mehr erzählen?",
        ),
        more=("Und es geht weiter.", "Dann noch dies.", "Wir lesen auch dies.", "Auch das habe ich notiert.", ""),
        answer=("", "Dazu lesen wir dies.", "So steht es da.", ""),
        critique="Wir gehen es kritisch durch: erst was gesagt wird, dann was zu denken gibt.",
        doubt=("Was gibt dir dabei zu denken?", "Wie weit trägt das?", "Wo sollten wir vorsichtig sein?"),
        caution=("Das sollten wir abwägen.", "Das würde ich im Kopf behalten.", "Halten wir dies daneben."),
        debate="Wir wechseln uns ab: Eine Stimme spricht dafür, die andere hält dagegen.",
        one_side=("Ich sage dazu dies.", "Ich würde hier beginnen.", "Für meine Seite nenne ich dies."),
        other_side=("Ich halte dies daneben.", "Bedenken wir auch dies.", "Meine Seite antwortet so."),
        brief="Das sind die Hauptpunkte.",
        close=("Das war unser Blick auf {}. Die Mitschrift nennt zu jeder Aussage die Quelle.", "Danke fürs Zuhören."),
        narrator="Erzählstimme",
        video="Video-Überblick: {}",
        watched="Danke fürs Zuschauen.",
        in_view=("Hier sind die Zahlen im Bild.", "Die Zahlen nebeneinander."),
        steps="So geht es, Schritt für Schritt.",
    ),
    "fr": Phrases(
        title="Aperçu audio : {}",
        host="Voix {}",
        welcome="Bienvenue. Aujourd'hui, nous parlons de ceci : {}.",
        sources=("Nous avons une source.", "Nous avons {} sources."),
        chapter=("Commençons par ceci : {}.", "Passons à ceci : {}.", "Ensuite : {}.", "Nous arrivons à ceci : {}."),
        ask=(
            "Que faut-il en savoir ?",
            "Que lisons-nous à ce sujet ?",
            "Qu'est-ce qui te frappe ?",
            "Et quoi encore ?",
            "Peux-tu en dire plus ?",
        ),
        more=("Et ce n'est pas tout.", "Il y a encore ceci.", "Nous lisons aussi ceci.", "J'ai noté cela aussi.", ""),
        answer=("", "Voici ce que nous lisons.", "C'est dit ainsi.", ""),
        critique="Nous le parcourons d'un œil critique : d'abord ce qui est dit, puis ce qui fait réfléchir.",
        doubt=("Qu'est-ce qui te fait hésiter ?", "Jusqu'où cela va-t-il ?", "À quoi faut-il faire attention ?"),
        caution=("Il faut peser ceci.", "Je garderais cela en tête.", "Mettons ceci à côté."),
        debate="Nous parlons tour à tour : l'un défend, l'autre répond.",
        one_side=("Voici mon argument.", "Je commencerais ici.", "De mon côté, je cite ceci."),
        other_side=("Je mets ceci à côté.", "Considérons aussi ceci.", "De mon côté, je réponds par ceci."),
        brief="Voici les points principaux.",
        close=(
            "C'était notre regard sur ceci : {}. La transcription nomme la source de chaque phrase.",
            "Merci de votre écoute.",
        ),
        narrator="Narration",
        video="Aperçu vidéo : {}",
        watched="Merci de votre attention.",
        in_view=("Voici les chiffres à l'écran.", "Les chiffres côte à côte."),
        steps="Voici comment, étape par étape.",
    ),
    "es": Phrases(
        title="Resumen de audio: {}",
        host="Voz {}",
        welcome="Bienvenidos. Hoy hablamos de {}.",
        sources=("Tenemos una fuente.", "Tenemos {} fuentes."),
        chapter=("Empecemos con {}.", "Ahora, {}.", "A continuación, {}.", "Esto nos lleva a {}.", "Sigamos con {}."),
        ask=(
            "¿Qué hay que saber sobre esto?",
            "¿Qué leemos al respecto?",
            "¿Qué te llama la atención?",
            "¿Y qué más?",
            "¿Puedes contar más?",
        ),
        more=("Y hay más.", "Luego está esto.", "También leemos esto.", "También anoté esto.", ""),
        answer=("", "Esto es lo que leemos.", "Así lo dice.", ""),
        critique="Lo repasamos con ojo crítico: primero lo que se dice, luego lo que hace dudar.",
        doubt=("¿Qué te hace dudar?", "¿Hasta dónde llega eso?", "¿Con qué debemos tener cuidado?"),
        caution=("Debemos sopesar esto.", "Yo tendría esto en cuenta.", "Pongamos esto al lado."),
        debate="Nos turnamos: uno defiende y el otro responde.",
        one_side=("Mi argumento es este.", "Yo empezaría por aquí.", "De mi lado nombro esto."),
        other_side=("Pongo esto al lado.", "Consideremos también esto.", "De mi lado respondo con esto."),
        brief="Estos son los puntos principales.",
        close=(
            "Esta fue nuestra mirada a {}. La transcripción nombra la fuente de cada frase.",
            "Gracias por escuchar.",
        ),
        narrator="Narración",
        video="Resumen de vídeo: {}",
        watched="Gracias por mirar.",
        in_view=("Estas son las cifras en pantalla.", "Las cifras, lado a lado."),
        steps="Así se hace, paso a paso.",
    ),
}


def phrases(language: str | None) -> Phrases:
    """The phrases of a language; English where there are none."""
    return PHRASES.get(language_code(language) or "en", PHRASES["en"])


class InTurn:
    """Takes the next of some phrases each time, so that none comes twice in a row."""

    def __init__(self) -> None:
        self._taken: dict[tuple[str, ...], int] = {}

    def next(self, choices: tuple[str, ...]) -> str:
        number = self._taken.get(choices, 0)
        self._taken[choices] = number + 1
        return choices[number % len(choices)]
