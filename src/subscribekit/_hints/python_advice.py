"""The parts of error messages that only apply to clients in Python, with their replacements elsewhere."""

from __future__ import annotations

from typing import Final, NamedTuple


class PythonAdvice(NamedTuple):
    """A part of an error message, and its text in a terminal and for an item of a bulk run.

    Attributes:
        text: The part of the message.
        in_terminal: The same advice for a terminal; empty if there's none.
        in_run: The same advice for an item of a bulk run; `None` if it's the same as `text`.
    """

    text: str
    in_terminal: str = ""
    in_run: str | None = None


RESOLVE: Final = PythonAdvice(
    "client.resolve(error) looks what became of it, by reads only.",
    in_run="run.resolve() finds out by reads whether it was carried out.",
)
SUPPORT_DETAILS: Final = PythonAdvice(
    "; client.resolve(error).support_details is what to tell",
    in_run="; run.resolve() writes the details for the operator into the item's note",
)
RATE_LIMITED: Final = PythonAdvice(
    "Send fewer requests per second. `retry_after` has the seconds to wait, if the service sent them.",
    in_terminal="Wait before you send another request.",
    in_run="The run waited as long as the service asked. To send this item again, call "
    "item.record_outcome('not_applied').",
)
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
ALL: Final = (RESOLVE, SUPPORT_DETAILS, RATE_LIMITED, BASE_URL, RESTART, CA_FILE, *CREDENTIALS.values())
