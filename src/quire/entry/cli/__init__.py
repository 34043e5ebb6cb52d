"""The command line: `quire NOUN VERB`, one command for each capability, made from its JSON schema.

- A required property is an argument. So are the `words` that a capability declares, such as those of
  `quire note add TITLE CONTENT`; these are options too.
- Any other property is an option: `--limit 5`, `--wait/--no-wait`, `--label a --label b`. An option
  that ends in `-id` is also known without it: `--notebook` for `--notebook-id`.
- `--input FILE` gives properties as a JSON object, the only way for nested ones; what stands on the
  command line wins over it.
- `-` is standard input: for a file, for `--input`, and for a text that may be longer than a line.
- What destroys asks first; `--yes` answers beforehand, and must where nobody can be asked.
- A file that was made is saved (`--output`, `--force`).
- stdout holds the result and nothing else: a view for people, or JSON with `--json`, a line for
  each event of a stream. Messages go to stderr; errors too, as JSON with `--json`.
"""

from quire.entry.cli.program import main

__all__ = ["main"]
