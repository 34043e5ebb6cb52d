"""Forms of answers: a file a form. Each gives a draft, or None where it does not apply to what is asked."""

from __future__ import annotations

from collections.abc import Callable

from quire.text.asked import Asked
from quire.text.check_citations import Draft
from quire.text.makers import WritingTask

Form = Callable[[WritingTask, Asked], Draft | None]
