"""Hides the names that Windows lacks from the package, in every process that has this folder on its path.

    PYTHONPATH=tests/without_posix python -m pytest -n0 tests/cli

The standard library, other packages, and the tests still see all names, because they have their own code for Windows,
or none. This module simulates three properties of Windows: the missing names, file modes without an effect, and open
files, which can't be replaced or removed. It doesn't simulate the event loops, sockets, paths, and consoles of Windows.
"""

from __future__ import annotations

import builtins
import errno
import fcntl
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

MISSING = {
    os: (
        "fork", "forkpty", "register_at_fork", "pread", "preadv", "pwrite", "pwritev", "sendfile", "fdatasync", "sync",
        "getuid", "geteuid", "getgid", "getegid", "getgroups", "getpgid", "getpgrp", "setsid", "setuid", "setgid",
        "killpg", "chown", "fchown", "lchown", "fchmod", "mkfifo", "mknod", "nice", "uname", "sysconf", "statvfs",
        "fstatvfs", "getloadavg", "sched_getaffinity", "sched_yield", "posix_spawn", "wait", "wait3", "WNOHANG",
        "set_blocking", "get_blocking", "pipe2", "lockf", "posix_fallocate", "posix_fadvise", "openpty", "ttyname",
        "O_NONBLOCK", "O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_SYNC", "O_DSYNC", "O_ASYNC", "O_NOCTTY", "O_PATH",
        "O_TMPFILE",
    ),
    select: ("poll", "epoll", "kqueue", "POLLIN", "POLLOUT", "POLLERR", "POLLHUP", "EPOLLIN"),
    signal: (
        "SIGHUP", "SIGKILL", "SIGALRM", "SIGCHLD", "SIGPIPE", "SIGQUIT", "SIGSTOP", "SIGCONT", "SIGTSTP", "SIGUSR1",
        "SIGUSR2", "SIGWINCH", "alarm", "pause", "setitimer", "getitimer", "pthread_sigmask", "pthread_kill", "sigwait",
        "siginterrupt",
    ),
    socket: ("AF_UNIX", "SO_REUSEPORT", "MSG_DONTWAIT", "MSG_NOSIGNAL", "TCP_USER_TIMEOUT", "TCP_INFO", "TCP_QUICKACK"),
    time: ("CLOCK_BOOTTIME", "clock_gettime", "tzset", "pthread_getcpuclockid"),
    sys: (),
}  # fmt: skip
OTHERS: dict[ModuleType, dict[str, object]] = {sys: {"platform": "win32"}, os: {"name": "nt"}}
"""The attributes whose value is different on Windows."""
MODULES = ("fcntl", "grp", "pwd", "pty", "resource", "syslog", "termios", "tty")


def _is_package(names: Mapping[str, object] | None) -> bool:
    return str((names or {}).get("__name__")).partition(".")[0] == "subscribekit"


class Windows(ModuleType):
    """A module as the package sees it."""

    def __init__(self, real: ModuleType, missing: Sequence[str], values: Mapping[str, object]) -> None:
        self.__dict__.update(values, __name__=real.__name__, _real=real, _missing=missing)

    def __getattr__(self, name: str) -> object:
        if name in self._missing:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        return getattr(self._real, name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(self._real, name, value)


def msvcrt() -> ModuleType:
    """Return a module with the names that the package uses. As on Windows, a lock belongs to the opened file."""
    module = ModuleType("msvcrt")

    def locking(descriptor: int, mode: int, size: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

    module.__dict__.update(LK_NBLCK=2, locking=locking)
    return module


def _hide_names() -> None:
    real = builtins.__import__
    seen = {module.__name__: Windows(module, names, OTHERS.get(module, {})) for module, names in MISSING.items()}
    seen["msvcrt"] = msvcrt()

    def importing(name: str, *rest: Any, **options: Any) -> ModuleType:
        asking = rest[0] if rest else options.get("globals")
        is_relative = (rest[3] if len(rest) > 3 else options.get("level", 0)) > 0
        if is_relative or not _is_package(asking):
            return real(name, *rest, **options)
        if name in MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return seen.get(name) or real(name, *rest, **options)

    builtins.__import__ = importing


def _is_of_package() -> bool:
    """Return whether the package made the call, directly or through `pathlib`."""
    names = [sys._getframe(depth).f_globals for depth in (2, 3)]
    return _is_package(names[0]) or (names[0].get("__name__") == "pathlib" and _is_package(names[1]))


def _keep_open_files() -> None:
    """Refuse to replace or remove a file that this process has open."""

    def guarded(real: Callable[..., None]) -> Callable[..., None]:
        def call(*paths: str | os.PathLike[str], **options: int) -> None:
            for path in paths if _is_of_package() else ():
                _refuse_open(path)
            real(*paths, **options)

        return call

    for name in ("replace", "rename", "unlink", "remove"):
        setattr(os, name, guarded(getattr(os, name)))


def _refuse_open(path: str | os.PathLike[str]) -> None:
    name = os.path.abspath(path)  # noqa: PTH100  it must not follow a link
    for descriptor in Path("/proc/self/fd").iterdir():
        try:
            is_open = str(descriptor.readlink()) == name
        except OSError:
            continue  # the descriptor that lists the folder is already closed
        if is_open:
            raise PermissionError(errno.EACCES, "The process cannot access the file because it is being used", name)


def _forget_modes() -> None:
    real, changing = os.open, os.chmod
    os.O_BINARY = 0x8000  # type: ignore[attr-defined]  # this is O_LARGEFILE on Linux, which has no effect

    def opened(path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        return real(path, flags, 0o666 if _is_of_package() else mode, dir_fd=dir_fd)

    def changed(path: str | int, mode: int, **options: int) -> None:
        if not _is_of_package():
            changing(path, mode, **options)

    os.open, os.chmod = opened, changed  # type: ignore[assignment]


_hide_names()
_keep_open_files()
_forget_modes()
