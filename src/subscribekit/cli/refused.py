"""Credentials on a command line: refused, since shells and process lists keep what is typed."""

from __future__ import annotations

from collections.abc import Sequence

_OPTIONS = {
    "ACCESS_TOKEN": ("--access-token", "--bearer", "--token"),
    "API_KEY": ("--api-key", "--authorization", "--basic", "--key", "--password", "--secret", "-p"),
    "API_USER": ("--api-user", "--user", "--username", "-u"),
    "GATEWAY_API_KEY": ("--gateway-api-key", "--x-api-key"),
    "SESSION_ID": ("--jsessionid", "--session", "--session-id"),
}
_VARIABLE = {option: variable for variable, options in _OPTIONS.items() for option in options}


def credential_in(arguments: Sequence[str]) -> str | None:
    """Say what to do instead when an argument looks like a credential; the value is never repeated."""
    for each in arguments:
        if each == "--":
            return None
        if each.startswith("SUBSCRIBEKIT_") and "=" in each:
            return (
                f"{each.partition('=')[0]} is a variable of the process, not an argument: set it before the command. "
                "If the value was a real credential, have it replaced: shells and process lists keep what is typed."
            )
        option = each.partition("=")[0].lower().replace("_", "-")
        if option in _VARIABLE and not (option == "--key" and "reconcile" in arguments):  # where it names a column
            return (
                f"{option} is not taken: credentials come from variables of the process only, since shells and process "
                f"lists keep what is typed. Set SUBSCRIBEKIT_<ENVIRONMENT>_{_VARIABLE[option]}, for example "
                f"SUBSCRIBEKIT_PRODUCTION_{_VARIABLE[option]}. If it was a real one, have it replaced."
            )
    return None
