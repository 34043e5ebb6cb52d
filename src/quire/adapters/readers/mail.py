"""E-mail: the headers a person looks at, the text, and the names of what is attached."""

from __future__ import annotations

import email
import email.policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from quire.adapters.readers.draft import Draft
from quire.adapters.readers.failures import damaged, reading
from quire.adapters.readers.limits import Limits
from quire.adapters.readers.text import decode

WHAT = "an e-mail"
SHOWN = ("From", "To", "Cc", "Date", "Subject")
MOST_PARTS = 200
# Streams of an Outlook message: their property number and the type of wide or narrow text.
OUTLOOK = {"Subject": "0037", "From": "0C1A", "Address": "0C1F", "To": "0E04", "Cc": "0E03", "Body": "1000"}
OUTLOOK_HTML = "__substg1.0_10130102"
ATTACHED_NAMES = ("3707", "3704")


def read_mail(path: Path, limits: Limits) -> Draft:
    draft = Draft(limits)
    with reading(WHAT):
        message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
        assert isinstance(message, EmailMessage)
        shown = {name: header(message, name) for name in SHOWN}
        if not any(shown.values()):
            raise damaged(WHAT)
        write_headers(draft, shown)
        write_body(draft, message)
        for part in list(message.walk())[:MOST_PARTS]:
            if part.get_filename():
                draft.block(f"Attachment: {part.get_filename()}")
    return draft.finish()


def header(message: EmailMessage, name: str) -> str:
    """A header as text; addresses and dates that are malformed come as they were written."""
    try:
        return str(message.get(name, ""))
    except (AttributeError, IndexError, TypeError, ValueError):
        return next((str(value) for key, value in message.raw_items() if key.lower() == name.lower()), "")


def write_headers(draft: Draft, shown: dict[str, str]) -> None:
    draft.suggest_title(shown.get("Subject"))
    for number, (name, value) in enumerate((name, value) for name, value in shown.items() if value):
        (draft.line if number else draft.block)(f"{name}: {' '.join(value.split())}")


def write_body(draft: Draft, message: EmailMessage) -> None:
    """The plain text, or the HTML where there is none or the plain part is empty."""
    for wanted in ("plain", "html"):
        body = message.get_body(preferencelist=(wanted,))
        if body is None:
            continue
        data = body.get_payload(decode=True)
        if not isinstance(data, bytes) or not data.strip():
            continue
        if wanted == "plain":
            draft.block(decode(data, body.get_content_charset()))
        else:
            write_html_body(draft, data)
        return


def write_html_body(draft: Draft, data: bytes) -> None:
    from quire.adapters.readers.html import parse_html
    from quire.adapters.readers.html_blocks import HtmlBlocks

    HtmlBlocks(draft).write(parse_html(data))


def read_outlook(path: Path, limits: Limits) -> Draft:
    draft = Draft(limits)
    with reading("an Outlook message"):
        import olefile

        with olefile.OleFileIO(path) as file:
            values = {name: outlook_text(file, number) for name, number in OUTLOOK.items()}
            address, body = values.pop("Address"), values.pop("Body")
            if address and address not in values["From"]:
                values["From"] = f"{values['From']} <{address}>".strip()
            if not body and not any(values.values()):
                raise damaged("an Outlook message")
            write_headers(draft, {name: values[name] for name in ("From", "To", "Cc", "Subject")})
            if body.strip():
                draft.block(body)
            elif file.exists(OUTLOOK_HTML):
                write_html_body(draft, file.openstream(OUTLOOK_HTML).read())
            for folder in sorted({entry[0] for entry in file.listdir() if entry[0].startswith("__attach")}):
                name = next(filter(None, (outlook_text(file, number, folder) for number in ATTACHED_NAMES)), "")
                draft.block(f"Attachment: {name}" if name else "")
    return draft.finish()


def outlook_text(file: Any, number: str, folder: str = "") -> str:
    for kind, encoding in (("001F", "utf-16-le"), ("001E", None)):
        path = "/".join(part for part in (folder, f"__substg1.0_{number}{kind}") if part)
        if file.exists(path):
            data = file.openstream(path).read()
            return data.decode(encoding, "replace") if encoding else decode(data)
    return ""
