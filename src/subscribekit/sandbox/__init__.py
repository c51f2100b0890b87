"""A simulated platform with all four APIs. It runs in your process, without a network, and keeps state between calls.

    from subscribekit.sandbox import Sandbox

    sandbox = Sandbox()
    with sandbox.billing() as billing:
        for account in billing.accounts.list(email="customer-0001@example.com"):
            print(account.id)

The responses follow the specification: the authentication, limits, paging rules, and error bodies of each API. Where
the specification is silent, they follow the platform's published samples. Where neither source decides, the sandbox
prefers to reject a request instead of inventing a success. The docstring of each module says which behavior is
specified, which appears in the samples, and which is an assumption. `subscribekit.sandbox.seed` describes the merchant
that the sandbox starts with.
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
