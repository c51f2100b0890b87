"""A simulated platform with all four APIs, which runs in your process without a network, and stores data between calls.

    from subscribekit.sandbox import Sandbox

    sandbox = Sandbox()
    with sandbox.billing() as billing:
        for account in billing.accounts.list(email="customer-0001@example.com"):
            print(account.id)

The sandbox follows the specification in the authentication, limits, paging rules, and error bodies of each API. If the
specification doesn't describe a behavior, the sandbox follows the platform's published samples. If neither the
specification nor the samples describe a successful response, the sandbox usually rejects the request. In each module of
this package, the docstring states the source of the behavior: the specification, the samples, or an assumption. The
module `subscribekit.sandbox.seed` describes the merchant's data in a new sandbox.
"""

from .clock import DEFAULT_START
from .facade import Sandbox, default_sandbox
from .http.wire import RecordedRequest, SandboxRequest, SandboxResponse
from .platform import Snapshot
from .settings import Settings
from .store import RecordedCharge
from .transport import AsyncSandboxTransport, SandboxTransport

__all__ = [
    "DEFAULT_START",
    "AsyncSandboxTransport",
    "RecordedCharge",
    "RecordedRequest",
    "Sandbox",
    "SandboxRequest",
    "SandboxResponse",
    "SandboxTransport",
    "Settings",
    "Snapshot",
    "default_sandbox",
]
