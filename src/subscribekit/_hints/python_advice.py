"""Advice for Python programs in error messages, with different advice for a terminal and for a bulk run."""

from __future__ import annotations

from typing import Final, NamedTuple


class PythonAdvice(NamedTuple):
    """A part of an error message, and the replacements of this part for a terminal and for an item of a bulk run.

    Attributes:
        text: The part of the message for a Python program.
        in_terminal: The text that replaces `text` in a terminal; an empty string to leave the part out.
        in_run: The text that replaces `text` for an item of a bulk run; `None` to keep `text`.
    """

    text: str
    in_terminal: str = ""
    in_run: str | None = None


RESOLVE: Final = PythonAdvice(
    "Call client.resolve(error) to find out; it sends only reads.",
    in_run="Call run.resolve() to find out; it sends only reads.",
)
SUPPORT_DETAILS: Final = PythonAdvice(
    "; client.resolve(error).support_details is the text to send",
    in_run="; run.resolve() writes the text to send into the item's note",
)
RATE_LIMITED: Final = PythonAdvice(
    "Send fewer requests. If the service asked for a wait, `retry_after` is the number of seconds.",
    in_terminal="Wait before you send another request.",
    in_run="The run paused because of this response. To send this item again, call item.record_outcome('not_applied').",
)
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
"""For each credential, the part of an error message that advises you to pass the credential to the client. The rest of
the message advises you to set an environment variable."""
ALL: Final = (RESOLVE, SUPPORT_DETAILS, RATE_LIMITED, BASE_URL, RESTART, CA_FILE, *CREDENTIALS.values())
