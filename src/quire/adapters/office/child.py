"""The process in which one office file is written: `python -m quire.adapters.office.child`, with the job on its input.

It limits itself before it reads what is to be written, and ends with the file or the reason why there is none.
"""

from __future__ import annotations

import os
import sys
import traceback
from datetime import date, datetime
from typing import Any

from quire.adapters.readers.apart import go_apart
from quire.adapters.readers.child import Allowance, Teller, die_with_parent, read_job
from quire.adapters.readers.limits import Limits
from quire.domain.errors import QuireError, TooLarge, Unsupported
from quire.domain.sheets import Cell, Sheet
from quire.ports.office import OfficeFacts

MISSING = Unsupported("Writing office files needs an extra.", hint="quire extras add office")


def main(job: dict[str, Any]) -> None:
    teller = Teller()
    die_with_parent()
    if job["beside"]:
        os.nice(10)
    limits = job["limits"]
    Allowance(Limits(seconds=limits["seconds"], memory=limits["memory"]), heavy=False)
    try:
        content = made(job)
        teller.say({"bytes": None if content is None else len(content)}, content or b"")
    except QuireError as error:
        teller.say({"error": error.body()})
    except ImportError:
        traceback.print_exc()
        teller.say({"error": MISSING.body()})
    except MemoryError:
        teller.say({"error": TooLarge("Writing the file takes more memory than one file may have.").body()})


def made(job: dict[str, Any]) -> bytes | None:
    told = job["facts"]
    created = datetime.fromisoformat(told["created"]) if told["created"] else None
    facts = OfficeFacts(told["title"], told["language"], created, told["footnotes"])
    if job["make"] == "document":
        from quire.adapters.office.document import write_document

        return write_document(job["chapters"], facts)
    from quire.adapters.office.workbook import write_workbook

    if job["make"] == "workbook":
        return write_workbook([sheet_of(sheet) for sheet in job["sheets"]], facts)
    from quire.adapters.office.tables import tables_in

    sheets = [sheet for title, text in job["texts"] for sheet in tables_in(title, text)]
    return write_workbook(sheets, facts) if sheets else None


def sheet_of(told: dict[str, Any]) -> Sheet:
    rows = [[_cell(value) for value in row] for row in told["rows"]]
    return Sheet(told["name"], told["header"], rows, frozenset(told["percent"]))


def _cell(value: Any) -> Cell:
    if isinstance(value, dict):
        return datetime.fromisoformat(value["moment"]) if "moment" in value else date.fromisoformat(value["day"])
    cell: Cell = value
    return cell


if __name__ == "__main__":
    go_apart()
    main(read_job())
    sys.stderr.flush()
    os._exit(0)
