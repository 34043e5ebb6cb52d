"""What a run has put out so far, as its cell adds to it, changes it and takes it back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from quire.domain.cells import Output, shortened, size_of
from quire.domain.scratch import CellCleared, CellOutput
from quire.ports.cells import Cleared, Updated

MOST_OUTPUTS = 1_000
# What a stream holds beyond this, no cell keeps.
MOST_TEXT = 512 * 1024
# What a message costs beside its text, so that endless small ones are too many at some time.
MESSAGE_COST = 100


class RunOutputs:
    """`updates` are the displays that were changed, by their ids: they may stand in other cells too."""

    def __init__(self, cell_id: str) -> None:
        self.kept: list[Output] = []
        self.updates: dict[str, Output] = {}
        self._cell_id = cell_id
        self._clears_next = False

    def take(self, event: Output | Updated | Cleared) -> Iterator[CellOutput | CellCleared]:
        """What whoever watches is to be told."""
        if isinstance(event, Cleared):
            self._clears_next = event.wait
            if not event.wait:
                yield from self._clear()
        elif isinstance(event, Updated):
            self._update(event.output)
            yield CellOutput(cell_id=self._cell_id, output=event.output, updated=True)
        else:
            if self._clears_next:
                self._clears_next = False
                yield from self._clear()
            self._add(event)
            yield CellOutput(cell_id=self._cell_id, output=event)

    def _clear(self) -> Iterator[CellCleared]:
        if self.kept:
            self.kept = []
            yield CellCleared(cell_id=self._cell_id)

    def _update(self, output: Output) -> None:
        id = output.display_id or ""
        if id in self.updates or len(self.updates) < MOST_OUTPUTS:
            self.updates[id] = output
        self.kept = with_updates(self.kept, {id: output})

    def _add(self, output: Output) -> None:
        """Streams that go on are one output; what no cell keeps is not held either."""
        last = self.kept[-1] if self.kept else None
        if output.kind == "stream" and last is not None and last.kind == "stream" and last.name == output.name:
            if size_of(last) <= MOST_TEXT:
                self.kept[-1] = last.model_copy(update={"text": (last.text or "") + (output.text or "")})
        elif len(self.kept) < MOST_OUTPUTS or output.kind == "error":
            self.kept.append(output)


def cost_of(event: Output | Updated | Cleared) -> int:
    """How much a message counts towards what a run may put out at all."""
    if isinstance(event, Cleared):
        return MESSAGE_COST
    output = event.output if isinstance(event, Updated) else event
    return size_of(output) + (0 if output.kind == "stream" else MESSAGE_COST)


def with_updates(outputs: Sequence[Output], updates: Mapping[str, Output]) -> list[Output]:
    """The outputs, each display as it was last changed."""
    made = []
    for output in outputs:
        update = updates.get(output.display_id or "")
        changed = update and {"data": update.data, "metadata": update.metadata, "cut": update.cut}
        made.append(output.model_copy(update=changed) if changed else output)
    return made


def updated_elsewhere(outputs: Sequence[Output], updates: Mapping[str, Output]) -> list[Output] | None:
    """The outputs of another cell once a run has changed its displays; None where it has none of them."""
    if not any(output.display_id in updates for output in outputs):
        return None
    return shortened(with_updates(outputs, updates))
