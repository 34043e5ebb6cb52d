"""The data that an interactive page carries: its page shows it, and NotebookLM's clients read it out of the page."""

from __future__ import annotations

import json
from html import escape
from typing import Any

from quire.adapters.artifact_files.cited import Numbers
from quire.domain.quizzes import Flashcards, Quiz


def quiz_data(quiz: Quiz) -> dict[str, Any]:
    numbers = Numbers(one.explanation for one in quiz.questions)
    return {
        "title": quiz.title,
        "quiz": [
            {
                "question": one.question,
                "answerOptions": [
                    {"text": option, "isCorrect": at == one.answer} for at, option in enumerate(one.options)
                ],
                "hint": one.hint,
                "explanation": one.explanation.text,
                "source": ", ".join(dict.fromkeys(grounds.source_title for grounds in one.explanation.grounds)),
                "mark": numbers.shown(one.explanation),
            }
            for one in quiz.questions
        ],
    }


def card_data(cards: Flashcards) -> dict[str, Any]:
    return {
        "title": cards.title,
        "flashcards": [
            {
                "f": one.front,
                "b": one.back,
                "explanation": one.explanation.text,
                "source": ", ".join(dict.fromkeys(grounds.source_title for grounds in one.explanation.grounds)),
            }
            for one in cards.cards
        ],
    }


def element(data: dict[str, Any], words: dict[str, str]) -> str:
    """An element that shows nothing and holds data, and the labels of its page."""
    kept = escape(json.dumps(data, ensure_ascii=False), quote=True)
    labels = escape(json.dumps(words, ensure_ascii=False), quote=True)
    return f'<div id="app" data-words="{labels}" data-app-data="{kept}"></div>'
