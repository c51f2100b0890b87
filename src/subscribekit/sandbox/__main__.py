"""`python -m subscribekit.sandbox`: the sandbox on loopback ports, for as long as it is wanted."""

from __future__ import annotations

import argparse
import logging
import signal
import sys
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from shlex import quote
from typing import get_args

from .._core.config.environments import Environment
from .facade import Sandbox
from .http.auth import credentials_of
from .server.server import SandboxServer
from .settings import Responses

_EXAMPLE = """\
from subscribekit import BillingClient

billing = BillingClient({})
"""
_MAX_PORT = 65_535 - 3


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until Ctrl-C or SIGTERM.

    Args:
        arguments: The command line, without the program's name.

    Returns:
        The exit status.
    """
    options = _parser().parse_args(arguments)
    logging.basicConfig(level=logging.WARNING if options.quiet else logging.INFO, format="%(message)s")
    clock = partial(datetime.now, UTC) if options.real_time else None
    sandbox = Sandbox(seed=options.seed, clock=clock, responses=options.responses)
    try:
        for url in options.webhook:
            sandbox.webhooks.subscribe(url, key=options.webhook_key)
    except ValueError as error:
        _parser().error(str(error))
    with _until_signal() as stop:
        try:
            server = SandboxServer(sandbox, port=options.port, plain=options.plain, directory=options.directory)
        except (ModuleNotFoundError, OSError) as error:
            print(f"subscribekit.sandbox: {error}", file=sys.stderr)  # noqa: T201  a program for a terminal
            return 1
        with server:
            print(describe(server), flush=True)  # noqa: T201  a program for a terminal
            # With a timeout, because without one Ctrl-C would not end the wait on Windows.
            while not stop.wait(timeout=1.0):
                pass
    return 0


@contextmanager
def _until_signal() -> Generator[threading.Event]:
    """Give an event that Ctrl-C and SIGTERM set, and let the signals do again what they did before."""
    stop = threading.Event()
    before = {kind: signal.signal(kind, lambda _number, _frame: stop.set()) for kind in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for kind, handler in before.items():
            signal.signal(kind, handler)


def _port(given: str) -> int:
    port = int(given)
    if not 0 <= port <= _MAX_PORT:
        raise argparse.ArgumentTypeError(f"must be 0 to {_MAX_PORT}")
    return port


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m subscribekit.sandbox", description="Serve the sandbox to programs on this machine."
    )
    parser.add_argument(
        "--port", type=_port, default=0, help="first of four consecutive ports (default: the system chooses)"
    )
    parser.add_argument("--plain", action="store_true", help="plain HTTP, without the extra 'server'")
    parser.add_argument("--directory", type=Path, help="where the certificate is written (default: a temporary one)")
    parser.add_argument("--seed", type=int, default=0, help="another seed gives other vids")
    parser.add_argument(
        "--real-time", action="store_true", help="run with this machine's clock; time stands still else"
    )
    parser.add_argument(
        "--responses",
        choices=get_args(Responses),
        default="specification",
        help="form of responses where specification and published samples differ (default: %(default)s)",
    )
    parser.add_argument(
        "--webhook",
        metavar="URL",
        action="append",
        default=[],
        help="post push notifications there (this machine only)",
    )
    parser.add_argument(
        "--webhook-key",
        metavar="KEY",
        default="sandbox-webhook-key",
        help="what they are signed with (default: %(default)s)",
    )
    parser.add_argument("--quiet", action="store_true", help="do not print a line for each request")
    return parser


def describe(server: SandboxServer) -> str:
    """Tell how to reach a server: a page for people, variables for the SDK, and what to write in Python."""
    environment = server.environment
    lines = [f"export SUBSCRIBEKIT_ENVIRONMENT={environment.name}"]
    lines += [f"export {name}={value}" for name, value in _variables(environment).items()]
    trust = ""
    if server.authority is not None:
        authority = quote(str(server.authority))
        lines.append(f"export {environment.variable('ca_file')}={authority}")
        trust = f"--cacert {authority} "
    example = _EXAMPLE.format("" if trust else "allow_insecure_loopback=True")
    accepted = credentials_of(environment)
    billing = server.addresses["billing"]
    curl = f"curl {trust}-u {accepted.api_user}:{accepted.api_key} '{billing}/accounts?limit=2'"
    order = f"curl {trust}-X POST {billing}/_sandbox/advance -d '{{\"days\": 31}}'"
    return (
        f"The sandbox is running; Ctrl-C stops it. Status page: {server.addresses['billing']}/\n\n"
        f"In the shell:\n\n{_indented(chr(10).join(lines))}\n\n"
        f"In Python, from that shell:\n\n{_indented(example)}\n\n"
        f"Without Python, and to move the sandbox's time:\n\n{_indented(curl)}\n{_indented(order)}\n\n"
        "The specification does not show the wire names of some arguments. To use those here, give the client\n"
        "wire_names=Sandbox().environment.wire_names (from subscribekit.sandbox import Sandbox).\n"
    )


def _variables(environment: Environment) -> dict[str, str]:
    addresses = ("base_url", "gateway_url", "user_mgmt_url", "storefront_url")
    values = {name: getattr(environment, name) for name in addresses} | asdict(credentials_of(environment))
    return {environment.variable(name): value or "" for name, value in values.items()}


def _indented(told: str) -> str:
    return "\n".join(f"    {line}" if line else "" for line in told.rstrip().splitlines())


if __name__ == "__main__":
    sys.exit(main())
