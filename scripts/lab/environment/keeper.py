"""Runs one command so that nothing it starts outlives it, whatever it does.

    python -I keeper.py LIFELINE_FD BYTES COMMAND ...

BYTES bounds the address space of every process.

Where the kernel allows it, the command runs in a process namespace of its own: it can neither
see nor signal anything outside, and all that it started dies with the first process of the
namespace. Elsewhere this process adopts every orphan (PR_SET_CHILD_SUBREAPER) and kills what is
left. Either way the end comes when the command ends or when the lifeline closes, which also
happens when the tool itself is killed.

Only the standard library: this file is run by path, in isolated mode.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import select
import signal
import sys
import time
from pathlib import Path

CLONE_NEWPID, CLONE_NEWUSER = 0x20000000, 0x10000000
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36


def main() -> int:
    lifeline, memory, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    libc = _libc()
    fenced = libc is not None and _fence(libc)
    if libc is not None and not fenced:
        libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    first = os.fork()
    if first == 0:
        if libc is not None:
            libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if fenced:
            os._exit(_first_of_namespace(lifeline, command))
        os.close(lifeline)
        _become(command)
    code = _wait(first, lifeline)
    if not fenced:
        _kill_descendants()
    return code


def _libc() -> ctypes.CDLL | None:
    try:
        return ctypes.CDLL(None, use_errno=True)
    except OSError:
        return None


def _fence(libc: ctypes.CDLL) -> bool:
    """A process namespace for the children of this process; False where that is not allowed.

    Without root it takes a user namespace, in which this user stays who it is.
    """
    uid, gid = os.geteuid(), os.getegid()
    try:
        if uid == 0:
            return libc.unshare(CLONE_NEWPID) == 0
        if libc.unshare(CLONE_NEWUSER | CLONE_NEWPID) != 0:
            return False
    except AttributeError:
        return False
    with contextlib.suppress(OSError):
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1")
        Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1")
    return True


def _first_of_namespace(lifeline: int, command: list[str]) -> int:
    """Process 1 of the namespace: starts the command, reaps orphans, and ends with the command."""
    os.close(lifeline)
    child = os.fork()
    if child == 0:
        _become(command)
    while True:
        pid, status = os.wait()
        if pid == child:
            return _code(status)


def _become(command: list[str]) -> None:
    try:
        os.execvp(command[0], command)
    except OSError as error:
        print(f"cannot start {command[0]}: {error.strerror}", file=sys.stderr, flush=True)
        os._exit(127)


def _wait(child: int, lifeline: int) -> int:
    """Until the child ends (its code) or the lifeline closes (then it is killed)."""
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    for ending in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(ending, signal.SIG_IGN)
    while True:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid == child:
            return _code(status)
        readable, _, _ = select.select([lifeline, woken], [], [])
        if lifeline in readable:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return 0
        os.read(woken, 4096)


def _code(status: int) -> int:
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


def _kill_descendants() -> None:
    """Kill and reap what was adopted, until nothing is left (a forking process needs several rounds)."""
    until = time.monotonic() + 10
    while time.monotonic() < until:
        for pid in _descendants(os.getpid()):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.005)


def _descendants(root: int) -> list[int]:
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError, ValueError, IndexError):
                parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
                parents.setdefault(parent, []).append(int(entry.name))
    found, open_ = [], [root]
    while open_:
        children = parents.get(open_.pop(), [])
        found += children
        open_ += children
    return found


if __name__ == "__main__":
    sys.exit(main())
