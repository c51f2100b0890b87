"""The clients of the account-lifecycle API, for the user's accounts, custom data, and lists of entities.

Python imports the async client and the classes of the resources when you first use them.
"""

from typing import TYPE_CHECKING, Final

from .._generated.sync.user_mgmt.accounts import Accounts
from .._generated.sync.user_mgmt.custom_data import CustomData
from .._generated.sync.user_mgmt.entities import Entities
from .._generated.sync.user_mgmt.offset_collection import OffsetCollection
from .._lazy import imported
from .._operations.user_mgmt.entities import EntityPath
from .client import UserMgmtClient

if TYPE_CHECKING:
    from .._generated.aio.user_mgmt.accounts import AsyncAccounts
    from .._generated.aio.user_mgmt.custom_data import AsyncCustomData
    from .._generated.aio.user_mgmt.entities import AsyncEntities
    from .._generated.aio.user_mgmt.offset_collection import AsyncOffsetCollection
    from .async_client import AsyncUserMgmtClient

__all__ = [
    "ME",
    "Accounts",
    "AsyncAccounts",
    "AsyncCustomData",
    "AsyncEntities",
    "AsyncOffsetCollection",
    "AsyncUserMgmtClient",
    "CustomData",
    "Entities",
    "EntityPath",
    "OffsetCollection",
    "UserMgmtClient",
]

ME: Final = "me"
"""The ID of the signed-in user, which you can pass to a call instead of another user ID."""

_MODULE_OF = {
    "AsyncAccounts": "._generated.aio.user_mgmt.accounts",
    "AsyncCustomData": "._generated.aio.user_mgmt.custom_data",
    "AsyncEntities": "._generated.aio.user_mgmt.entities",
    "AsyncOffsetCollection": "._generated.aio.user_mgmt.offset_collection",
    "AsyncUserMgmtClient": "async_client",
}


def __getattr__(name: str) -> object:
    value = imported(__name__, _MODULE_OF, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
