"""Quizzes as a page that asks, tells what is right and why, and counts."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path

from quire.adapters.artifact_files.app_data import element, quiz_data
from quire.adapters.artifact_files.page import page, read_page
from quire.domain.quizzes import Quiz
from quire.ports.artifact_files import Progress

STYLE = """
.card { border: 1px solid var(--line); border-radius: .8rem; padding: 1.3rem 1.4rem; margin: 1rem 0; }
.question { font-size: 1.15rem; font-weight: 600; white-space: pre-line; margin: .2rem 0 1rem; }
.options { display: grid; gap: .55rem; padding: 0; list-style: none; }
.options button { width: 100%; text-align: left; background: var(--tint); color: var(--ink);
  border: 1px solid var(--line); }
.options button.right { border-color: var(--good); background: color-mix(in srgb, var(--good) 16%, var(--paper)); }
.options button.wrong { border-color: var(--bad); background: color-mix(in srgb, var(--bad) 16%, var(--paper)); }
.verdict { font-weight: 650; margin: 1rem 0 .2rem; } .verdict.right { color: var(--good); }
.verdict.wrong { color: var(--bad); } .row { display: flex; gap: .6rem; align-items: center; margin-top: 1rem; }
.row .soft { margin-left: auto; }
"""
SCRIPT = """
(() => {
  const app = document.getElementById('app');
  const quiz = JSON.parse(app.dataset.appData).quiz, words = JSON.parse(app.dataset.words);
  let at = 0; const given = quiz.map(() => null);
  const make = (tag, text, name) => { const e = document.createElement(tag); if (text) e.textContent = text;
    if (name) e.className = name; return e; };
  const right = () => given.filter((g, i) => g !== null && quiz[i].answerOptions[g].isCorrect).length;
  const count = (template, ...values) => template.replace(/\\{\\}/g, () => values.shift());
  function show() {
    app.replaceChildren();
    const card = make('section', '', 'card');
    if (at === quiz.length) {
      card.append(make('p', count(words.score, right(), quiz.length), 'question'));
      const again = make('button', words.again);
      again.onclick = () => { at = 0; given.fill(null); show(); };
      card.append(again); app.append(card); again.focus(); return;
    }
    const one = quiz[at];
    card.append(make('p', count(words.question, at + 1) + ' / ' + quiz.length, 'soft'),
      make('p', one.question, 'question'));
    const list = make('ul', '', 'options');
    one.answerOptions.forEach((option, i) => {
      const item = make('li'), button = make('button', option.text);
      if (given[at] !== null) {
        button.disabled = true;
        if (option.isCorrect) button.classList.add('right'); else if (given[at] === i) button.classList.add('wrong');
      }
      button.onclick = () => { given[at] = i; show(); };
      item.append(button); list.append(item);
    });
    card.append(list);
    if (given[at] !== null) {
      const good = one.answerOptions[given[at]].isCorrect;
      const told = make('div'); told.setAttribute('role', 'status');
      told.append(make('p', good ? words.right : words.wrong, 'verdict ' + (good ? 'right' : 'wrong')),
        make('p', one.explanation), make('p', one.source, 'soft'));
      card.append(told);
    }
    const row = make('div', '', 'row');
    if (at > 0) { const back = make('button', words.back, 'quiet'); back.onclick = () => { at--; show(); };
      row.append(back); }
    if (given[at] !== null) { const next = make('button', words.next); next.onclick = () => { at++; show(); };
      row.append(next); }
    row.append(make('span', count(words.score, right(), quiz.length), 'soft'));
    card.append(row); app.append(card);
    if (given[at] !== null) row.querySelector('button:last-of-type').focus();
  }
  show();
})();
"""


def make(quiz: Quiz, path: Path, progress: Progress) -> None:
    body = f"<h1>{escape(quiz.title)}</h1>\n{element(quiz_data(quiz), quiz.words)}"
    if quiz.remark:
        body += f'\n<p class="soft"><em>{escape(quiz.remark)}</em></p>'
    path.write_text(page(quiz.title, quiz.language, body, style=STYLE, script=SCRIPT), encoding="utf-8")


def check(path: Path, quiz: Quiz) -> None:
    _, attributes = read_page(path)
    told = json.loads(attributes["data-app-data"])["quiz"]
    if [one["question"] for one in told] != [one.question for one in quiz.questions]:
        raise ValueError("a question is missing")
    if any(sum(option["isCorrect"] for option in one["answerOptions"]) != 1 for one in told):
        raise ValueError("a question has not one right answer")
