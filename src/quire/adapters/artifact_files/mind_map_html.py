"""Mind maps as a page: branches open and close, and each node shows the passage that speaks of it."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path

from quire.adapters.artifact_files.page import page, read_page
from quire.domain.mind_maps import MindMap, MindMapNode
from quire.ports.artifact_files import Progress

STYLE = """
main { max-width: 72rem; }
.tree, .tree ul { list-style: none; margin: 0; padding-left: 1.6rem; }
.tree { padding-left: 0; }
.tree ul { border-left: 2px solid var(--line); margin-left: .7rem; }
.tree li { margin: .3rem 0; }
summary { cursor: pointer; display: inline-block; padding: .25rem .7rem; border-radius: .6rem; background: var(--tint);
  border: 1px solid var(--line); }
.tree > li > details > summary { background: var(--ink); color: var(--paper); font-weight: 650; font-size: 1.1rem; }
.leaf { display: inline-block; padding: .25rem .7rem; border-radius: .6rem; border: 1px solid var(--line); }
.told { color: var(--soft); font-size: .88rem; margin: .15rem 0 .3rem .9rem; max-width: 46rem; }
.row { display: flex; gap: .6rem; margin: 0 0 1.2rem; }
"""
SCRIPT = """
for (const button of document.querySelectorAll('[data-open]')) {
  button.onclick = () => {
    for (const one of document.querySelectorAll('details')) one.open = button.dataset.open === '1';
  };
}
"""


def make(map: MindMap, path: Path, progress: Progress) -> None:
    words = map.words
    data = escape(json.dumps(map.root.plain(), ensure_ascii=False), quote=True)
    body = (
        f"<h1>{escape(map.title)}</h1>\n"
        f'<div class="row"><button data-open="1">{escape(words.get("expand_all", "Open all"))}</button>'
        f'<button class="quiet" data-open="0">{escape(words.get("collapse_all", "Close all"))}</button></div>\n'
        f'<ul class="tree" data-app-data="{data}">{_node(map.root, 0)}</ul>'
    )
    if map.remark:
        body += f'\n<p class="soft"><em>{escape(map.remark)}</em></p>'
    path.write_text(page(map.title, map.language, body, style=STYLE, script=SCRIPT), encoding="utf-8")


def check(path: Path, map: MindMap) -> None:
    found, attributes = read_page(path)
    if json.loads(attributes["data-app-data"]) != map.root.plain():
        raise ValueError("it is another tree")
    if len(found.get("li", [])) != sum(1 for _ in map.root.walk()):
        raise ValueError("a node is missing")


def _node(node: MindMapNode, depth: int) -> str:
    told = ""
    if node.statement is not None and depth:
        source = ", ".join(dict.fromkeys(grounds.source_title for grounds in node.statement.grounds))
        told = f'<div class="told">{escape(node.statement.text)} ({escape(source)})</div>'
    if not node.children:
        if not told:
            return f'<li><span class="leaf">{escape(node.name)}</span></li>'
        return f"<li><details><summary>{escape(node.name)}</summary>{told}</details></li>"
    inner = "".join(_node(child, depth + 1) for child in node.children)
    opened = " open" if depth < 2 else ""
    return f"<li><details{opened}><summary>{escape(node.name)}</summary><ul>{inner}</ul></details></li>"
