"""Runs commands of the client whose environment this is, one after the other, and prints how each ended."""

import importlib.util
import json
import sys

if importlib.util.find_spec("notebooklm_tools"):
    from notebooklm_tools.cli.main import app as program
    from typer.testing import CliRunner
else:
    from click.testing import CliRunner
    from notebooklm.notebooklm_cli import cli as program

ENDED = {}
with open(sys.argv[1], encoding="utf-8") as file:
    for name, command in json.load(file).items():
        result = CliRunner().invoke(program, command)
        crash = result.exception if isinstance(result.exception, Exception) else None
        ENDED[name] = [result.exit_code, result.output + (f"\n{crash!r}" if crash else "")]
print(json.dumps(ENDED))
