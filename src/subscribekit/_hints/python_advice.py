"""Advice in error messages that only a Python program can follow, and the replacements for a terminal."""

from __future__ import annotations

from typing import Final, NamedTuple


class PythonAdvice(NamedTuple):
    """A part of an error message, and its replacement in a terminal.

    Attributes:
        text: The part of the message for a Python program.
        in_terminal: The same advice for a terminal; empty to leave it out.
    """

    text: str
    in_terminal: str = ""


RESOLVE: Final = PythonAdvice("client.resolve(error) looks what became of it, by reads only.")
SUPPORT_DETAILS: Final = PythonAdvice("; client.resolve(error).support_details is what to tell")
BASE_URL: Final = PythonAdvice(", or pass base_url")
RESTART: Final = PythonAdvice("pass restart=True", "pass --restart")
CA_FILE: Final = PythonAdvice(
    "Environment(ca_file='...'), the variable SUBSCRIBEKIT_<ENVIRONMENT>_CA_FILE, or "
    "ssl_context=ssl.create_default_context(cafile='...')",
    "--ca-file FILE, or the variable SUBSCRIBEKIT_<ENVIRONMENT>_CA_FILE",
)
CREDENTIALS: Final = {
    name: PythonAdvice(f"pass {name} to the client, or ")
    for name in ("api_user", "api_key", "gateway_api_key", "session_id", "access_token")
}
"""The advice to pass a credential, which precedes the advice to set a variable."""
ALL: Final = (RESOLVE, SUPPORT_DETAILS, BASE_URL, RESTART, CA_FILE, *CREDENTIALS.values())
