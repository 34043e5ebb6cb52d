"""The kernels of this process: one for each notebook and language, begun with its first cell."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from quire.adapters.cells import control_group, places
from quire.adapters.cells.sandbox import REFUSED, Sandbox, Unconfined
from quire.domain.cells import Output
from quire.domain.errors import LimitReached, QuireError, Unsupported
from quire.ports.cells import Cleared, Ended, Updated, Work
from quire.ports.finish_anyway import finish_anyway

MOST_KERNELS = 32
BEGAN_AFRESH = "Its kernel had died since the last run; what that knew is gone."


class Kernel(Protocol):
    @property
    def alive(self) -> bool: ...

    def run(self, work: Work) -> AsyncIterator[Output | Updated | Cleared | Ended]: ...

    async def interrupt(self) -> None: ...

    async def stop(self) -> None: ...


class NotebookKernels:
    """The kernels of one notebook, and whose turn it is."""

    def __init__(self) -> None:
        self.turn = asyncio.Lock()
        self.kernels: dict[str, Kernel] = {}
        self.running: Kernel | None = None
        self.interrupted = False
        self.ended = False


class SandboxedKernels:
    """`hidden` is never to be seen from inside. `unsafe` runs cells without a sandbox."""

    def __init__(self, hidden: Path, unsafe: bool = False) -> None:
        self._hidden = hidden
        self._sandbox: type[Sandbox] = Unconfined if unsafe else Sandbox
        self._notebooks: dict[str, NotebookKernels] = {}
        self._refusal: QuireError | None = None
        self._swept = False

    def check(self) -> str:
        """Refuses at once where an earlier try has shown that there is no sandbox."""
        if self._refusal is not None:
            raise self._refusal
        try:
            import ipykernel  # noqa: F401
        except ImportError:
            raise Unsupported("Running cells needs an extra.", hint="quire extras add scratch") from None
        if self._sandbox is Unconfined:
            return "without a sandbox"
        if not hasattr(asyncio, "create_subprocess_exec") or not Path("/proc/self/ns").is_dir():
            raise Unsupported(f"{REFUSED} (this system has no namespaces).")
        return "in namespaces of their own"

    async def run(self, work: Work) -> AsyncIterator[Output | Updated | Cleared | Ended]:
        notebook = self._notebooks.setdefault(work.notebook_id, NotebookKernels())
        async with notebook.turn:
            notebook.interrupted = False
            known = notebook.kernels.get(kind_of(work))
            died = known is not None and not known.alive
            kernel = None if notebook.ended else await self._kernel(notebook, work)
            if kernel is None or notebook.ended:
                # Nobody would end what began now.
                if kernel is not None:
                    await asyncio.shield(self._drop(notebook, kernel))
                yield Ended("interrupted", message="Its notebook was restarted or deleted before it began.")
                return
            if notebook.interrupted:
                yield Ended("interrupted", message="It was stopped before it began.")
                return
            notebook.running = kernel
            finished = False
            try:
                async with aclosing(kernel.run(work)) as events:  # type: ignore[type-var]
                    async for event in events:
                        if isinstance(event, Ended):
                            finished = True
                            event = replace(event, message=event.message or (BEGAN_AFRESH if died else ""))
                        yield event
            finally:
                notebook.running = None
                if not finished and kernel.alive:
                    await asyncio.shield(self._give_up(notebook, kernel))
                if not kernel.alive:
                    await asyncio.shield(self._drop(notebook, kernel))

    async def interrupt(self, notebook_id: str) -> bool:
        notebook = self._notebooks.get(notebook_id)
        if notebook is None or not notebook.turn.locked():
            return False
        notebook.interrupted = True
        if notebook.running is not None:
            await notebook.running.interrupt()
        return True

    async def stop(self, notebook_id: str) -> bool:
        notebook = self._notebooks.pop(notebook_id, None)
        if notebook is None:
            return False
        notebook.ended = True
        await finish_anyway(self._end(notebook))
        return True

    def alive(self) -> set[str]:
        return {notebook_id for notebook_id, notebook in self._notebooks.items() if notebook.kernels}

    async def sweep(self) -> None:
        self._swept = True
        await asyncio.to_thread(places.sweep)
        await asyncio.to_thread(control_group.sweep)

    async def close(self) -> None:
        for notebook_id in list(self._notebooks):
            await self.stop(notebook_id)

    async def _kernel(self, notebook: NotebookKernels, work: Work) -> Kernel:
        kind = kind_of(work)
        kernel = notebook.kernels.get(kind)
        if kernel is not None and kernel.alive:
            return kernel
        if kernel is not None:
            await self._drop(notebook, kernel)
        if sum(len(other.kernels) for other in self._notebooks.values()) >= MOST_KERNELS:
            raise LimitReached(f"{MOST_KERNELS} kernels are running.", hint="Restart or delete other notebooks.")
        try:
            notebook.kernels[kind] = await self._begin(kind)
        except Unsupported as error:
            if error.message.startswith(REFUSED):
                self._refusal = error
            raise
        return notebook.kernels[kind]

    async def _begin(self, kind: str) -> Kernel:
        if not self._swept:
            await self.sweep()
        if kind == "python":
            from quire.adapters.cells.python_kernel import PythonKernel

            return await PythonKernel.start(self._sandbox, [self._hidden])
        from quire.adapters.cells.node_kernel import NodeKernel

        return await NodeKernel.start(self._sandbox, [self._hidden])

    async def _give_up(self, notebook: NotebookKernels, kernel: Kernel) -> None:
        """A run whose caller has left is interrupted; what does not heed that is killed."""
        await kernel.interrupt()
        if not kernel.alive:
            await self._drop(notebook, kernel)

    async def _end(self, notebook: NotebookKernels) -> None:
        for kernel in list(notebook.kernels.values()):
            await kernel.stop()
        notebook.kernels.clear()

    async def _drop(self, notebook: NotebookKernels, kernel: Kernel) -> None:
        for kind, one in list(notebook.kernels.items()):
            if one is kernel:
                del notebook.kernels[kind]
        await kernel.stop()


def kind_of(work: Work) -> str:
    return "python" if work.language == "python" else "node"
