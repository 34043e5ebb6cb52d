"""Contract 4's tools: what cells draw reaches a model as images, once, and not as text."""

from __future__ import annotations

import base64
from typing import Any

from quire.api.capability import Capability
from quire.domain.output_files import SVG, files_of, named
from quire.domain.scratch import CellChange, CellOutput, Execution, ScratchRun
from quire.entry.contract_tools.contract import Contract

# What a model is shown at once; the rest is told by its address, as is SVG, which models do not see.
MOST_IMAGES = 20
MOST_BYTES = 4 * 1024 * 1024


class ScratchContract(Contract):
    def answer(self, capability: Capability, result: Any) -> tuple[str, Any]:
        return super().answer(capability, self.told(result))

    def told(self, result: Any) -> Any:
        """Without the bytes of pictures: their size and where they are to be had."""
        if isinstance(result, Execution):
            return result.model_copy(update={"outputs": named(result.outputs, result.uri)})
        if isinstance(result, ScratchRun):
            return result.model_copy(update={"executions": [self.told(one) for one in result.executions]})
        if isinstance(result, CellOutput):
            (output,) = named([result.output], None)
            return result.model_copy(update={"output": output})
        if isinstance(result, CellChange):
            cell = result.cell.model_copy(update={"outputs": named(result.cell.outputs, result.uri)})
            return result.model_copy(update={"cell": cell})
        return result

    def attached(self, result: Any) -> list[dict[str, Any]]:
        runs = result.executions if isinstance(result, ScratchRun) else [result]
        found: list[dict[str, Any]] = []
        images, size = 0, 0
        for run in runs:
            for file in files_of(run.outputs) if isinstance(run, Execution) else ():
                if file.content is None:
                    continue
                images, size = images + 1, size + len(file.content)
                if file.media_type == SVG or images > MOST_IMAGES or size > MOST_BYTES:
                    uri = f"{run.uri}/outputs/{file.name}"
                    facts = {"mimeType": file.media_type, "size": len(file.content)}
                    found.append({"type": "resource_link", "uri": uri, "name": file.name, **facts})
                else:
                    data = base64.b64encode(file.content).decode()
                    found.append({"type": "image", "data": data, "mimeType": file.media_type})
        return found
