"""The async client of the account lifecycle interfaces (group C)."""

from .._generated.aio.user_mgmt.client import AsyncUserMgmtBase


class AsyncUserMgmtClient(AsyncUserMgmtBase):
    """Async client of the account lifecycle interfaces (group C).

    Its arguments are those of `UserMgmtClient`; `transport` and `http_client` are of the async kind. A callable that
    gives a credential may also be a coroutine function.
    """

    async def __aenter__(self) -> "AsyncUserMgmtClient":
        return self
