"""Web pages as people save them: articles and others, with what sites put around them."""

from __future__ import annotations

SENTENCE = "The old harbour of the northern island was rebuilt by its fishermen in the winter of that year."
LINKS = "".join(f'<li><a href="/{n}">Read this other story {n}</a></li>' for n in range(60))
AROUND = f"<nav><ul>{LINKS}</ul></nav>"
BELOW = '<div class="cookie-banner"><p>We use cookies.</p></div><footer><p>Imprint and terms of use</p></footer>'


def paragraphs(count: int, name: str = "Part") -> str:
    return "".join(f"<p>{name} {number}. {SENTENCE} {SENTENCE}</p>" for number in range(count))


def page(body: str, head: str = "", title: str = "Harbour rebuilt") -> str:
    """A page of a site, with its navigation, its footer and its banner."""
    return (
        f"<!doctype html><html><head><meta charset=utf-8><title>{title}</title>{head}</head>"
        f"<body>{AROUND}{body}{BELOW}</body></html>"
    )


ARTICLE = page(
    f"<article><h1>Harbour rebuilt</h1>{paragraphs(4)}<h2>What it cost</h2>{paragraphs(3, 'Bill')}</article>"
)
WITHOUT_TAG = page(f"<div><h1>Harbour rebuilt</h1>{paragraphs(4)}<h2>What it cost</h2>{paragraphs(3, 'Bill')}</div>")

ROWS = "".join(f"<tr><td>Ship {n}</td><td>{1900 + n}</td><td>{n * 12} tons</td></tr>" for n in range(40))
TABLE = page(
    f"<main><h1>Ships of the port</h1>{paragraphs(2, 'Note')}"
    f"<table><tr><th>Name</th><th>Built</th><th>Load</th></tr>{ROWS}</table></main>"
)
ENTRIES = "".join(f'<li><a href="/ships/{n}">The log of ship number {n}</a></li>' for n in range(40))
INDEX = page(f"<main><h1>All logs</h1>{paragraphs(3, 'About')}<ul>{ENTRIES}</ul></main>")
MINUTES = (
    "<html><head><title>Minutes</title></head><body><h1>Minutes of 3 June</h1><p>Present: Ada, Bo, Cleo</p>"
    "<p>Absent: Dora</p><h2>Boats</h2><ul><li>Two boats are to be painted.</li><li>Bo buys the paint.</li></ul>"
    f"<p>{SENTENCE} {SENTENCE} {SENTENCE}</p><p>Next: 1 July</p></body></html>"
)
POSTS = "".join(
    f'<div class="comment"><p class="who">Sailor{n} wrote:</p><p>Answer {n}. {SENTENCE} {SENTENCE}</p></div>'
    for n in range(9)
)
THREAD = page(f'<h1>Which paint?</h1><div class="thread">{POSTS}</div>', title="Which paint?")
CODE = "".join(f"<dt>--flag-{n}</dt><dd>Turns on part {n}.</dd><pre>boat --flag-{n}</pre>" for n in range(30))
MANUAL = page(f"<main><h1>The boat command</h1>{paragraphs(2, 'Use')}<dl>{CODE}</dl></main>", title="boat(1)")
