"""The texts of the options that several clients share, and a check that each constructor has them."""

import re
from collections.abc import Mapping

OPTIONS = {
    "environment": (
        'An `Environment`, `"production"`, `"staging"`, or `"sandbox"`. The default is the environment that '
        "the variable `SUBSCRIBEKIT_ENVIRONMENT` names. If `SUBSCRIBEKIT_ENVIRONMENT` isn't set, pass `environment` or "
        "`base_url`."
    ),
    "timeouts": ("The time limits for the steps of a request, in seconds."),
    "deadline": ("The time limit for a whole call with its retries, in seconds; `None` for no limit."),
    "retry": ("The retry policy: the number of attempts of a call, and the wait before each retry."),
    "wire_names": ("The wire names that the specification doesn't document."),
    "transport": (
        "An object, such as a mock or the sandbox, that sends the requests in place of the client's own connections."
    ),
    "http_client": (
        "A client of httpx or httpx2 that sends the requests, with its proxies, mounts, hooks, and HTTP/2. "
        "The SDK never closes this client, and doesn't use its headers, cookies, `auth`, timeouts, or redirects."
    ),
    "ssl_context": (
        "A TLS context that verifies certificates. The SDK changes the options of this context; see the page Security."
    ),
    "proxy": (
        "The URL of a proxy, as `http://[user:password@]host:port`. The default is the value of the variable "
        "`SUBSCRIBEKIT_<ENVIRONMENT>_PROXY`. The SDK ignores `HTTPS_PROXY`."
    ),
    "limits": ("The maximum number of connections, and how long idle connections stay open."),
    "allow_insecure_loopback": ("Accept `http://` for 127.0.0.1, ::1, and localhost."),
    "trace": (
        'Pass `"auto"` to continue the current trace or start a trace, `"off"` to send no trace headers, or the '
        "`TraceContext` of a trace to continue."
    ),
    "observers": ("Objects that follow calls and requests, such as `Hooks` or `OpenTelemetry`."),
    "read_only": (
        "Reject every operation that isn't a read, before anything is sent. `with_options` can't turn off `read_only`. "
        "The variable `SUBSCRIBEKIT_READ_ONLY=1` makes all clients of a process read-only."
    ),
    "check_minor_units": (
        "Reject amounts with more decimal places than ISO 4217 defines for the currency, such as 19.999 USD."
    ),
    "user_agent_suffix": ("The name and version of your application, such as `shop/1.2`, to add to `User-Agent`."),
}
"""The text of each option that more than one sync client has with the same text."""
OWN = {"base_url", "api_key"}
"""Options that several clients have, and that each client describes with a different text."""


def differences(constructors: Mapping[str, str]) -> list[str]:
    """Return a correction for each option that a constructor doesn't describe as the table does.

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
