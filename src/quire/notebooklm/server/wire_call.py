"""One call at the server: the library on behalf of its caller, and where on NotebookLM's page it was made."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from quire.api.library import Library
from quire.domain.errors import InvalidInput
from quire.notebooklm.server.answering import Answering

PAGE = re.compile(r"/notebook/([^/?#]{1,200})")

Handler = Callable[["WireCall", Mapping[str, Any]], Awaitable[Any]]


@dataclass(frozen=True)
class WireCall:
    """`page` is the path that came with the call; it names the notebook where the parameters do not.

    `answering` is the server's own, and knows of what other calls have begun.
    """

    library: Library
    page: str = "/"
    answering: Answering = field(default_factory=Answering)

    def notebook(self, names: Mapping[str, Any]) -> str:
        """The notebook that a call is about."""
        found = names.get("notebook_id") or self.page_notebook()
        if not found:
            raise InvalidInput("The call does not say which notebook it is about.")
        return str(found)

    def page_notebook(self) -> str | None:
        found = PAGE.fullmatch(self.page)
        return found[1] if found else None
