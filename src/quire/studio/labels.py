"""What artifacts say in Quire's own words: headings and labels, in the languages that they come in.

All else in an artifact is quoted from sources, or written by a model.
"""

from __future__ import annotations

from typing import NamedTuple

from quire.text.wording import source_language
from quire.text.words import language_code


class Labels(NamedTuple):
    """The words of one language; `{}` is where a name comes."""

    briefing_doc: str
    study_guide: str
    blog_post: str
    report: str
    quiz: str
    flashcards: str
    mind_map: str
    data_table: str
    slide_deck: str
    infographic: str
    summary: str
    overview: str
    key_points: str
    details: str
    figures: str
    key_terms: str
    review_questions: str
    answer: str
    answers: str
    steps: str
    takeaways: str
    sources: str
    source: str
    quotes: str
    question: str
    explanation: str
    hint: str
    right: str
    wrong: str
    score: str
    next: str
    back: str
    again: str
    flip: str
    complete_sentence: str
    what_does: str
    about_heading: str
    value_of: str
    item: str
    more: str
    what_is: str
    page: str
    known: str
    not_known: str
    expand_all: str
    collapse_all: str
    timeline: str
    topic: str
    fact: str
    figure: str
    term: str
    meaning: str
    in_common: str
    in_common_prompt: str
    said_about: str
    said_about_prompt: str


LABELS: dict[str, Labels] = {
    "en": Labels(
        briefing_doc="Briefing: {}",
        study_guide="Study guide: {}",
        blog_post="Blog post: {}",
        report="Report: {}",
        quiz="Quiz: {}",
        flashcards="Flashcards: {}",
        mind_map="Mind map: {}",
        data_table="Data table: {}",
        slide_deck="Slides: {}",
        infographic="Infographic: {}",
        summary="Summary",
        overview="Overview",
        key_points="Key points",
        details="In detail",
        figures="Figures",
        key_terms="Key terms",
        review_questions="Review questions",
        answer="Answer",
        answers="Answers",
        steps="Steps",
        takeaways="What to take away",
        sources="Sources",
        source="Source",
        quotes="In the sources' words",
        question="Question {}",
        explanation="Explanation",
        hint="Hint",
        right="Right",
        wrong="Not quite",
        score="{} of {} right",
        next="Next",
        back="Back",
        again="Start again",
        flip="Turn over",
        complete_sentence="Which words complete the sentence?",
        what_does="What do the sources say about {}?",
        about_heading="Which of these statements is about “{}”?",
        value_of="{}: what is the value of “{}”?",
        item="Item",
        more="More",
        what_is="What is {}?",
        page="p. {}",
        known="I knew it",
        not_known="Not yet",
        expand_all="Open all",
        collapse_all="Close all",
        timeline="Timeline",
        topic="Topic",
        fact="Fact",
        figure="Figure",
        term="Term",
        meaning="Meaning",
        in_common="What the sources have in common",
        in_common_prompt="Bring together what the sources say about the same things, and say where they differ.",
        said_about="{}: what the sources say",
        said_about_prompt="Report on “{}”: what it is, what matters about it, figures and examples.",
    ),
    "de": Labels(
        "Briefing: {}", "Lernhilfe: {}", "Blogbeitrag: {}", "Bericht: {}", "Quiz: {}", "Lernkarten: {}",
        "Mindmap: {}", "Datentabelle: {}", "Folien: {}", "Infografik: {}", "Zusammenfassung", "Überblick",
        "Kernpunkte", "Im Einzelnen", "Zahlen", "Wichtige Begriffe",
        "Fragen zur Wiederholung", "Antwort", "Antworten", "Schritte", "Was bleibt", "Quellen", "Quelle",
        "In den Worten der Quellen", "Frage {}", "Erklärung", "Hinweis", "Richtig", "Nicht ganz", "{} von {} richtig",
        "Weiter", "Zurück", "Von vorn", "Umdrehen", "Welche Wörter ergänzen den Satz?",
        "Was sagen die Quellen über {}?", "Welche dieser Aussagen handelt von „{}“?", "{}: Welchen Wert hat „{}“?",
        "Eintrag", "Weiteres", "Was ist {}?", "S. {}", "Gewusst", "Noch nicht", "Alle öffnen", "Alle schließen",
        "Zeitleiste", "Thema", "Aussage", "Zahl", "Begriff", "Bedeutung",
        "Was die Quellen gemeinsam haben",
        "Führe zusammen, was die Quellen über dieselben Dinge sagen, und sage, worin sie sich unterscheiden.",
        "{}: was die Quellen sagen", "Berichte über „{}“: was es ist, was daran wichtig ist, Zahlen und Beispiele.",
    ),
    "fr": Labels(
        "Note de synthèse : {}", "Guide d'étude : {}", "Article de blog : {}", "Rapport : {}", "Quiz : {}",
        "Cartes mémo : {}",
        "Carte mentale : {}", "Tableau de données : {}", "Diapositives : {}", "Infographie : {}", "Résumé",
        "Aperçu", "Points clés", "En détail", "Chiffres",
        "Termes clés", "Questions de révision", "Réponse", "Réponses", "Étapes", "À retenir", "Sources", "Source",
        "Dans les mots des sources", "Question {}", "Explication", "Indice", "Exact", "Pas tout à fait",
        "{} bonnes réponses sur {}", "Suivant", "Retour", "Recommencer", "Retourner",
        "Quels mots complètent la phrase ?", "Que disent les sources sur {} ?",
        "Laquelle de ces affirmations porte sur « {} » ?", "{} : quelle est la valeur de « {} » ?",
        "Élément", "Autres", "Qu'est-ce que {} ?", "p. {}", "Je savais", "Pas encore", "Tout ouvrir", "Tout fermer",
        "Chronologie", "Sujet", "Fait", "Chiffre", "Terme", "Sens",
        "Ce que les sources ont en commun",
        "Réunis ce que les sources disent des mêmes choses, et dis en quoi elles diffèrent.",
        "{} : ce que disent les sources", "Rapport sur « {} » : ce que c'est, ce qui compte, chiffres et exemples.",
    ),
    "es": Labels(
        "Informe ejecutivo: {}", "Guía de estudio: {}", "Entrada de blog: {}", "Informe: {}", "Cuestionario: {}",
        "Tarjetas: {}",
        "Mapa mental: {}", "Tabla de datos: {}", "Diapositivas: {}", "Infografía: {}", "Resumen", "Panorama",
        "Puntos clave", "En detalle", "Cifras",
        "Términos clave", "Preguntas de repaso", "Respuesta", "Respuestas", "Pasos", "Para recordar", "Fuentes",
        "Fuente", "En palabras de las fuentes", "Pregunta {}", "Explicación", "Pista", "Correcto", "No del todo",
        "{} de {} correctas", "Siguiente", "Atrás", "Empezar de nuevo", "Dar la vuelta",
        "¿Qué palabras completan la frase?", "¿Qué dicen las fuentes sobre {}?",
        "¿Cuál de estas afirmaciones trata de «{}»?", "{}: ¿cuál es el valor de «{}»?",
        "Elemento", "Más", "¿Qué es {}?", "pág. {}", "La sabía", "Todavía no", "Abrir todo", "Cerrar todo",
        "Cronología", "Tema", "Dato", "Cifra", "Término", "Significado",
        "Lo que las fuentes tienen en común",
        "Reúne lo que las fuentes dicen de las mismas cosas y di en qué se diferencian.",
        "{}: lo que dicen las fuentes", "Informe sobre «{}»: qué es, qué importa, cifras y ejemplos.",
    ),
}  # fmt: skip


def labels(language: str | None) -> Labels:
    """The words of a language; English where there are none."""
    return LABELS.get(language_code(language) or "en", LABELS["en"])


PAGE_WORDS = (
    *("answer", "explanation", "hint", "right", "wrong", "score", "next", "back", "again", "flip"),
    *("known", "not_known", "expand_all", "collapse_all", "sources", "question"),
)


def page_words(language: str | None) -> dict[str, str]:
    """The labels of a page that answers its reader."""
    words = labels(language)
    return {name: getattr(words, name) for name in PAGE_WORDS}


def remark(language: str, spoken: str, *, by_model: bool = False) -> str:
    """That what is quoted is in another language than the artifact's labels, where it is."""
    if by_model or (language_code(language) or "en") == (language_code(spoken) or "en"):
        return ""
    return source_language([language_code(spoken) or "en"], language)
