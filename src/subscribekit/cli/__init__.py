"""The command line: `subscribekit` and `python -m subscribekit`. Requires the extra `cli`.

Importing this module loads neither typer nor rich, so that `main` can name the missing extra.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

__all__ = ["main"]

_EXTRA = ("rich", "typer")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        arguments: The command line without the name of the program. By default, the arguments of the process.

    Returns:
        The exit code: 0 done, 1 rejected by the service, 2 usage or configuration, 3 not sent, 4 unknown outcome,
            5 differences found, 130 interrupted.
    """
    try:
        from .application import run
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _EXTRA:
            raise
        sys.stderr.write("The command line requires the 'cli' extra; run: pip install 'subscribekit[cli]'\n")
        return 2
    return run(sys.argv[1:] if arguments is None else list(arguments))
