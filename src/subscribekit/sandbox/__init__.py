"""The platform in a box: a stateful stand-in for all four groups, in this process, without a socket.

    from subscribekit.sandbox import Sandbox

    sandbox = Sandbox()
    with sandbox.billing() as billing:
        for account in billing.accounts.list(email="customer-0001@example.com"):
            print(account.id)

The responses follow the specification: authentication, limits, paging rules and error bodies of each group. Beyond
it the sandbox shows what published samples of the platform show, and where neither says anything it refuses rather than
inventing a success; every module of this package says in its docstring what is specified, observed and assumed. The
seeded merchant is described in `subscribekit.sandbox.seed`.
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
