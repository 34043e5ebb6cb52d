"""Flashcards as a page: turned over by a click or a key, those that were not known come again."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path

from quire.adapters.artifact_files.app_data import card_data, element
from quire.adapters.artifact_files.page import page, read_page
from quire.domain.quizzes import Flashcards
from quire.ports.artifact_files import Progress

STYLE = """
.card { min-height: 15rem; width: 100%; display: flex; flex-direction: column; justify-content: center;
  text-align: center; background: var(--tint); color: var(--ink); border: 1px solid var(--line);
  border-radius: .9rem; padding: 1.6rem 1.8rem; font-size: 1.2rem; white-space: pre-line; }
.card.back { background: var(--paper); border-color: var(--accent); }
.card small { font-size: .78rem; color: var(--soft); margin-top: 1rem; }
.row { display: flex; gap: .6rem; align-items: center; margin-top: 1rem; flex-wrap: wrap; }
.row .soft { margin-left: auto; }
"""
SCRIPT = """
(() => {
  const app = document.getElementById('app');
  const cards = JSON.parse(app.dataset.appData).flashcards, words = JSON.parse(app.dataset.words);
  let pile = cards.map((_, i) => i), known = 0, turned = false;
  const make = (tag, text, name) => { const e = document.createElement(tag); if (text) e.textContent = text;
    if (name) e.className = name; return e; };
  const count = (template, ...values) => template.replace(/\\{\\}/g, () => values.shift());
  function show() {
    app.replaceChildren();
    const row = make('div', '', 'row');
    if (!pile.length) {
      app.append(make('p', count(words.score, known, cards.length), 'card'));
      const again = make('button', words.again);
      again.onclick = () => { pile = cards.map((_, i) => i); known = 0; show(); };
      row.append(again); app.append(row); again.focus(); return;
    }
    const card = cards[pile[0]], face = make('button', turned ? card.b : card.f, 'card' + (turned ? ' back' : ''));
    face.setAttribute('aria-live', 'polite');
    if (turned && card.source) face.append(make('small', card.source));
    face.onclick = () => { turned = !turned; show(); };
    app.append(face);
    if (turned) {
      const yes = make('button', words.known), no = make('button', words.not_known, 'quiet');
      yes.onclick = () => { pile.shift(); known++; turned = false; show(); };
      no.onclick = () => { pile.push(pile.shift()); turned = false; show(); };
      row.append(yes, no);
    } else { const flip = make('button', words.flip); flip.onclick = face.onclick; row.append(flip); }
    row.append(make('span', known + ' / ' + cards.length, 'soft'));
    app.append(row); face.focus();
  }
  show();
})();
"""


def make(cards: Flashcards, path: Path, progress: Progress) -> None:
    body = f"<h1>{escape(cards.title)}</h1>\n{element(card_data(cards), cards.words)}"
    if cards.remark:
        body += f'\n<p class="soft"><em>{escape(cards.remark)}</em></p>'
    path.write_text(page(cards.title, cards.language, body, style=STYLE, script=SCRIPT), encoding="utf-8")


def check(path: Path, cards: Flashcards) -> None:
    _, attributes = read_page(path)
    told = json.loads(attributes["data-app-data"])["flashcards"]
    if [(one["f"], one["b"]) for one in told] != [(one.front, one.back) for one in cards.cards]:
        raise ValueError("a card is missing")
