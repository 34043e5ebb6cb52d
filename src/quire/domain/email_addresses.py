"""E-mail addresses, in the one form in which they are kept and compared."""

from __future__ import annotations

import re

from quire.domain.errors import InvalidInput

# Letters that look alike are different addresses to a machine and the same to a person, so there is none but ASCII.
# Names of domains in other scripts have a form in ASCII (xn--...), which shows them for what they are.
ADDRESS = re.compile(r"[a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[a-z0-9](?:[a-z0-9.-]{0,186}[a-z0-9])?")
LONGEST = 254
# What stands behind the id of somebody who has no address.
NO_DOMAIN = "quire.invalid"


def email_address(given: str) -> str:
    """An address in lower case, or InvalidInput."""
    address = given.strip().lower() if given.isascii() and len(given) <= 2 * LONGEST else ""
    local, _, domain = address.rpartition("@")
    if len(address) > LONGEST or not ADDRESS.fullmatch(address) or ".." in address or local != local.strip("."):
        raise InvalidInput(
            "email: is not an e-mail address in plain letters.",
            hint="A domain in another script is written as xn--....",
            field="email",
        )
    return f"{local}@{domain}"
