"""numpy, which comes with an extra and is imported when it is first needed."""

from __future__ import annotations

from typing import Any

from quire.domain.errors import Unsupported

NEEDS = "quire extras add embedder, or go on without: full text alone works."


def arithmetic() -> Any:
    try:
        import numpy
    except ImportError as error:
        raise Unsupported("The embedder needs the package numpy.", hint=NEEDS) from error
    return numpy
