"""The texts of the options that several clients share, and a check that each constructor has them."""

import re
from collections.abc import Mapping

OPTIONS = {
    "environment": ('An `Environment`, or `"production"`, `"staging"`, or `"sandbox"`. There is no default.'),
    "timeouts": ("The time limits of the steps of a call, in seconds."),
    "deadline": ("The time limit of a whole call with its retries, in seconds. `None` for no limit."),
    "retry": ("How often and when the SDK retries a call."),
    "wire_names": ("The names of parameters and headers that the specification doesn't show."),
    "transport": ("An object that sends the requests in place of the client's own connections, such as a mock."),
    "http_client": (
        "A client of httpx or httpx2 that sends the requests, with its proxies, mounts, hooks, and HTTP/2. "
        "The SDK never closes it. Its headers, cookies, `auth`, timeouts, and redirects don't apply."
    ),
    "ssl_context": (
        "Your own TLS context, which must verify certificates. The SDK changes its options; see the page Security."
    ),
    "proxy": (
        "The proxy, as `http://[user:password@]host:port`. The SDK ignores the proxy variables of the environment."
    ),
    "limits": ("The limits of the connection pool."),
    "allow_insecure_loopback": ("Allow `http://` for 127.0.0.1, ::1, and localhost."),
    "trace": ('`"auto"`, `"off"`, or the span of the caller to continue.'),
    "observers": ("Objects that follow each call and request, such as `Hooks` or `OpenTelemetry`."),
    "read_only": (
        "Raise an error for every operation that isn't a read, before anything is sent. `with_options` can't "
        "undo it. The variable `SUBSCRIBEKIT_READ_ONLY=1` does the same for all clients of a process."
    ),
    "check_minor_units": (
        "Reject amounts with more decimal places than their currency has in ISO 4217, such as 19.999 USD."
    ),
    "user_agent_suffix": ("The name and version of your application for the header `User-Agent`, such as `shop/1.2`."),
}
"""The texts of the options that several sync clients describe in the same words."""
OWN = {"base_url", "api_key"}
"""Options that several clients have, and that each client describes in its own words."""


def differences(constructors: Mapping[str, str]) -> list[str]:
    """Return instructions for the constructors whose description of an option differs from the table.

    Args:
        constructors: The docstring of each sync client's constructor, by the name of its group.
    """
    found: list[str] = []
    users: dict[str, list[str]] = {}
    for group, text in constructors.items():
        for name, described in arguments(text).items():
            users.setdefault(name, []).append(group)
            if name in OPTIONS and described != OPTIONS[name]:
                found.append(f"{group}Client: write this for {name}: {OPTIONS[name]}")
    for name, groups in users.items():
        if len(groups) > 1 and name not in OPTIONS and name not in OWN:
            found.append(f"scripts/client_options.py: add {name} to OPTIONS; {' and '.join(groups)} have it")
    unused = sorted(name for name in OPTIONS if name not in users)
    return found + [f"scripts/client_options.py: remove {name} from OPTIONS; no client has it" for name in unused]


def arguments(docstring: str) -> dict[str, str]:
    """Return the descriptions of the arguments in a docstring, each in one line."""
    section = docstring.partition("Args:\n")[2].partition("\n\n")[0]
    entries = (each.strip().partition(": ") for each in re.split(r"\n(?= {4}\w)", section))
    return {name: " ".join(text.split()) for name, _, text in entries}
