"""`quire` and `python -m quire`; `kof-notebooklm-init`, which some clients tell people to run, is `quire login`.

`quire mcp` is told apart here, before Click, rich or a database driver is imported:
a client waits for it to answer.
"""

from __future__ import annotations

import sys

INTERRUPTED = 130


def main() -> int:
    return run(sys.argv[1:])


def sign_in() -> int:
    return run(["login", *sys.argv[1:]])


def run(argv: list[str]) -> int:
    if sys.platform == "win32":
        sys.stderr.write("Quire runs on Linux and macOS; on Windows, run it inside WSL.\n")
        return 1
    try:
        if argv[:1] == ["mcp"]:
            from quire.entry.mcp import main as mcp_main

            return mcp_main(argv[1:])
        from quire.entry.cli import main as cli_main

        return cli_main(argv)
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
