"""The async client of the account-lifecycle API."""

from .._generated.aio.user_mgmt.client import AsyncUserMgmtBase


class AsyncUserMgmtClient(AsyncUserMgmtBase):
    """The async client of the account-lifecycle API.

    It accepts the arguments of `UserMgmtClient`, but needs an async `transport` or `http_client`. The callable that
    returns the credential can also be a coroutine function.
    """

    async def __aenter__(self) -> "AsyncUserMgmtClient":
        return self
