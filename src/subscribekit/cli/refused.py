"""Rejects credentials in command-line arguments, because shell histories and process lists show the arguments."""

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
    """Return an error message if an argument looks like a credential. The message doesn't show the credential."""
    for each in arguments:
        if each == "--":
            return None
        if each.startswith("SUBSCRIBEKIT_") and "=" in each:
            return (
                f"{each.partition('=')[0]} is an environment variable, not an argument; set it before the command. If "
                "the value was a real credential, replace it, because shell histories and process lists show arguments."
            )
        option = each.partition("=")[0].lower().replace("_", "-")
        # In the command `reconcile`, --key is the name of a column, not a credential.
        if option in _VARIABLE and not (option == "--key" and "reconcile" in arguments):
            return (
                f"{option} can't pass a credential, because shell histories and process lists show arguments. "
                f"Set the environment variable SUBSCRIBEKIT_<ENVIRONMENT>_{_VARIABLE[option]}, for example "
                f"SUBSCRIBEKIT_PRODUCTION_{_VARIABLE[option]}. If the value was a real credential, replace it."
            )
    return None
