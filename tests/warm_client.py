"""A process as its starter sees it, whose work is done by a forked one: `warm_client.py SOCKET ARGUMENTS…`."""

from __future__ import annotations

import json
import os
import signal
import socket
import sys

way = socket.socket(socket.AF_UNIX)
way.connect(sys.argv[1])
order = {"arguments": sys.argv[2:], "environment": dict(os.environ), "folder": os.getcwd()}
socket.send_fds(way, [b"!"], [0, 1, 2])
way.sendall(json.dumps(order).encode() + b"\n")
for stream in (0, 1, 2):
    os.close(stream)
replies = way.makefile("rb")
pid = int(replies.readline())
for number in (signal.SIGINT, signal.SIGTERM):
    signal.signal(number, lambda number, _: os.kill(pid, number))
code = int(replies.readline())
if code < 0:
    signal.signal(-code, signal.SIG_DFL)
    os.kill(os.getpid(), -code)
os._exit(code)
