"""The parts of error messages that only a Python program can follow, with their replacements in a terminal."""

from __future__ import annotations

from typing import Final, NamedTuple


class PythonAdvice(NamedTuple):
    """A part of an error message, and its text in a terminal.

    Attributes:
        text: The part of the message.
        in_terminal: The same advice for a terminal; empty if there's none.
    """

    text: str
    in_terminal: str = ""


RESOLVE: Final = PythonAdvice("Call client.resolve(error) to find out; it sends only reads.")
SUPPORT_DETAILS: Final = PythonAdvice("; client.resolve(error).support_details is the text to send")
BASE_URL: Final = PythonAdvice(" or give base_url")
RESTART: Final = PythonAdvice("pass restart=True", "pass --restart")
CA_FILE: Final = PythonAdvice(
    "Environment(ca_file='...'), the variable SUBSCRIBEKIT_<ENVIRONMENT>_CA_FILE, or "
    "ssl_context=ssl.create_default_context(cafile='...')",
    "--ca-file FILE, or the variable SUBSCRIBEKIT_<ENVIRONMENT>_CA_FILE",
)
CREDENTIALS: Final = {
    name: PythonAdvice(f"give {name} when the client is made, or ")
    for name in ("api_user", "api_key", "gateway_api_key", "session_id", "access_token")
}
"""The advice to pass a credential, which precedes the advice to set a variable."""
ALL: Final = (RESOLVE, SUPPORT_DETAILS, BASE_URL, RESTART, CA_FILE, *CREDENTIALS.values())
