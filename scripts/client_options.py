"""The texts of the options that several clients share, and a check that each constructor has them."""

import re
from collections.abc import Mapping

OPTIONS = {
    "environment": ('An `Environment`, or `"production"`, `"staging"`, `"sandbox"`. There is no default.'),
    "timeouts": ("Seconds that one step of a call may take."),
    "deadline": ("Seconds for a whole call, retries included; `None` for none."),
    "retry": ("How often and how soon a call is retried."),
    "wire_names": ("Names that the specification does not show."),
    "transport": ("Sends the requests instead of the client's own connections: a mock, the sandbox."),
    "http_client": (
        "A client of httpx or httpx2 that carries the calls, with its proxies, mounts, hooks and HTTP/2. It "
        "is never closed here; its headers, cookies, `auth`, timeouts and redirects do not touch the calls."
    ),
    "ssl_context": ("Your own verifying TLS context. The SDK changes its options (page Security)."),
    "proxy": ("`http://[user:password@]host:port`; the process environment is never consulted."),
    "limits": ("How many connections are opened and how long idle ones are kept."),
    "allow_insecure_loopback": ("Accept `http://` for 127.0.0.1, ::1 and localhost."),
    "trace": ('`"auto"`, `"off"` or the caller\'s span to continue.'),
    "observers": ("The observers of each call and request: `Hooks`, `OpenTelemetry`."),
    "read_only": (
        "Refuse every operation that is no read, before anything is sent; `with_options` cannot lift it. The "
        "variable `SUBSCRIBEKIT_READ_ONLY=1` does the same for all clients of a process."
    ),
    "check_minor_units": ("Refuse amounts with more digits than ISO 4217 gives their currency, such as 19.999 USD."),
    "user_agent_suffix": ("Name and version of your application for the header `User-Agent`, such as `shop/1.2`."),
}
"""The text of each option that more than one sync client has in the same words."""
OWN = {"base_url", "api_key"}
"""Options that several clients have, and that each client describes in its own words."""


def differences(constructors: Mapping[str, str]) -> list[str]:
    """Return what to write where a constructor doesn't describe an option as the table does.

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
