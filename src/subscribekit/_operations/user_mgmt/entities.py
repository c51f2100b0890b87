"""Users, groups, accounts, subscriptions, features, and runtimes, and their associations."""

import re
from typing import Literal, TypeAlias, get_args

from ..._core.client.described import LIMITS_RULE_6, describes
from ..._core.lists.listing import ByOffset, Listing, offset_list
from ..._core.lists.parameters import ListParams
from ..._core.operations.arguments import number_or_text
from ..._hints.names import did_you_mean
from ...errors import InvalidArgumentError
from ...models.entity import Entity

EntityPath: TypeAlias = Literal[
    "/user/runtimes",
    "/user/{userId}/runtimes",
    "/user/features",
    "/user/{userId}/features",
    "/user/subscriptions",
    "/user/{userId}/subscriptions",
    "/user/groups",
    "/user/{userId}/groups",
    "/user/accounts",
    "/user/{userId}/accounts",
    "/group/{groupId}/users",
    "/group/{groupId}/accounts",
    "/group/{groupId}/subscriptions",
    "/group/{groupId}/runtimes",
    "/group/{groupId}/features",
    "/account/{accountId}/users",
    "/account/{accountId}/groups",
    "/account/{accountId}/runtimes",
    "/account/{accountId}/subscriptions",
    "/subscription/{subscriptionId}/users",
    "/subscription/{subscriptionId}/groups",
    "/subscription/{subscriptionId}/features",
    "/subscription/{subscriptionId}/runtimes",
    "/feature/{featureId}/groups",
    "/feature/{featureId}/runtimes",
    "/feature/{featureId}/users",
    "/runtime/{runtimeId}/groups",
    "/runtime/{runtimeId}/accounts",
    "/runtime/{runtimeId}/subscriptions",
    "/runtime/{runtimeId}/features",
]
"""The paginated GET calls of the specification (Limits, rule 6)."""


@describes("user_mgmt", "entities.list", source=LIMITS_RULE_6)
def list_entities(
    api_release: str | None,
    /,
    path: EntityPath,
    *,
    user_id: str | int | None = None,
    group_id: str | int | None = None,
    account_id: str | int | None = None,
    subscription_id: str | int | None = None,
    feature_id: str | int | None = None,
    runtime_id: str | int | None = None,
    offset: int = 0,
    size: int | None = None,
    params: ListParams | None = None,
    checkpoint: str | None = None,
    max_pages: int | None = None,
    prefetch: bool = False,
    concurrency: int = 1,
) -> Listing[Entity]:
    """List entities with one of the 30 paginated calls.

    The specification shows these paths without a prefix, so the SDK assumes the prefix of E10. An identifier is a
    string, or the integer in responses.

    Args:
        path: The path of the list. The placeholder in braces is replaced by the argument of the same name.
        user_id: For paths with `{userId}`.
        group_id: For paths with `{groupId}`.
        account_id: For paths with `{accountId}`.
        subscription_id: For paths with `{subscriptionId}`.
        feature_id: For paths with `{featureId}`.
        runtime_id: For paths with `{runtimeId}`.
        offset: The number of entities to skip, 0 by default.
        size: Page size, from 0 to 100. The service uses 20 by default.
        params: Other query parameters, by their wire names. A list of values is sent as a repeated parameter.
        checkpoint: Resume an earlier iteration of the same list.
        max_pages: Stop after this many pages.
        prefetch: Fetch the next page while you use the current one.
        concurrency: The number of pages to read in parallel once the total is known, from 1 to 64.

    Returns:
        A pager of entities.

    Raises:
        InvalidArgumentError: The path is unknown, or an identifier is missing or isn't in the path. Nothing was sent.
    """
    given = {
        "userId": user_id,
        "groupId": group_id,
        "accountId": account_id,
        "subscriptionId": subscription_id,
        "featureId": feature_id,
        "runtimeId": runtime_id,
    }
    values = _path_identifiers(path, given)
    return offset_list(
        f"/platform/rest/{api_release}" + path.replace("Id}", "Id:1024}"),
        *values,
        item=Entity,
        paging=ByOffset(offset, size, params, checkpoint, max_pages, prefetch, concurrency),
    )


def _path_identifiers(path: EntityPath, given: dict[str, str | int | None]) -> list[str]:
    """Return the identifiers for the placeholders of a path, and raise an error for other identifiers."""
    if path not in get_args(EntityPath):
        raise InvalidArgumentError(f"path must be one of the paginated paths in the specification{_path_meant(path)}")
    values: list[str] = []
    for name, value in given.items():
        argument = name.removesuffix("Id") + "_id"
        if (value is not None) != ("{" + name + "}" in path):
            raise InvalidArgumentError(
                f"{argument} is missing" if value is None else f"{argument} isn't in this path; leave it out"
            )
        if value is not None:
            values.append(number_or_text(argument, value))
    return values


def _path_meant(path: object) -> str:
    """Return a hint with the most similar path. The hint doesn't repeat identifiers in the given path."""
    if not isinstance(path, str):
        return ""
    bare = re.sub(r"^(/platform/rest)?(/v\d+)?", "", path)
    template = re.sub(r"^/(\w+)/[^{/][^/]*/", r"/\1/{\1Id}/", bare)
    if template in get_args(EntityPath):
        return f"; write {template!r} and {template.split('/')[1]}_id=..."
    return did_you_mean(template, get_args(EntityPath), 0.8)
