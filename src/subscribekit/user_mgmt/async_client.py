"""The async client of the account-lifecycle API."""

from .._generated.aio.user_mgmt.client import AsyncUserMgmtBase


class AsyncUserMgmtClient(AsyncUserMgmtBase):
    """The async client of the account-lifecycle API.

    Pass the same arguments as for `UserMgmtClient`. If you pass `transport` or `http_client`, the object must be
    async. The callable that returns the credential can also be a coroutine function.
    """

    async def __aenter__(self) -> "AsyncUserMgmtClient":
        return self
