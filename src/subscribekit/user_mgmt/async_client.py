"""The async client of the account-lifecycle API."""

from .._generated.aio.user_mgmt.client import AsyncUserMgmtBase


class AsyncUserMgmtClient(AsyncUserMgmtBase):
    """Async client of the account-lifecycle API.

    It has the same arguments as `UserMgmtClient`, except that `transport` and `http_client` are async. A callable that
    returns a credential can also be a coroutine function.
    """

    async def __aenter__(self) -> "AsyncUserMgmtClient":
        return self
