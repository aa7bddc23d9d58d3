"""Runs the service and reads its log up to the line of its start; then only when a signal asks for it."""

import ctypes
import os
import pty
import signal
import socket
import subprocess
import sys
import time


both = "pipe of output and errors"


def open_channel(kind):
    if kind in ("pipe", both):
        return os.pipe()
    if kind == "terminal":
        return pty.openpty()
    reader, writer = socket.socketpair()
    return reader.detach(), writer.detach()


def copy(size):
    try:
        data = os.read(reader, size)
    except OSError:  # a terminal without a writer
        data = b""
    os.write(1, data.replace(b"\r", b""))  # a terminal adds them
    return data


def read_all():
    while copy(65536):
        pass


def read_slowly():
    while copy(2000):
        time.sleep(0.001)


def end_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG, where there is one


orders = []
for number, order in ((signal.SIGUSR1, read_all), (signal.SIGUSR2, lambda: os.close(reader)), (signal.SIGHUP, read_slowly)):
    signal.signal(number, lambda *_, order=order: orders.append(order))

reader, writer = open_channel(sys.argv[1])
errors = writer if sys.argv[1] == both else None
child = subprocess.Popen(sys.argv[2:], stdout=writer, stderr=errors, preexec_fn=end_with_parent)
os.close(writer)
signal.signal(signal.SIGTERM, lambda *_: child.terminate())

shown = b""
expected = [b'"event":"started"'] + ([b"/rest/v1/project\n"] if errors else [])
while not all(text in shown for text in expected) or not shown.endswith(b"\n"):
    shown += copy(1).strip(b"\r")
while child.poll() is None:
    if orders:
        orders.pop()()
    time.sleep(0.01)
sys.exit(child.wait())
