"""Users, groups, accounts, subscriptions, features, and runtimes, and their relations."""

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
"""The paths of the specification's paginated GET operations (Limits, rule 6)."""


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
    """List the entities at one of the 30 paginated paths.

    The specification documents the paths of entity lists without a prefix. For these paths, the SDK assumes the prefix
    of `accounts.list` (E10), such as `/platform/rest/v85`. Pass an ID as a string, or as the integer that responses
    contain.

    Args:
        path: The path of the list. If the path contains a placeholder, pass the ID for the placeholder, such as
            `user_id` for `{userId}`.
        user_id: The user's ID, for paths with `{userId}`.
        group_id: The group's ID, for paths with `{groupId}`.
        account_id: The account's ID, for paths with `{accountId}`.
        subscription_id: The subscription's ID, for paths with `{subscriptionId}`.
        feature_id: The feature's ID, for paths with `{featureId}`.
        runtime_id: The runtime's ID, for paths with `{runtimeId}`.
        offset: Number of entities to skip, at least 0.
        size: Page size, from 0 to 100; the service's default is 20.
        params: Additional query parameters, by their wire names. If a value is a list, the SDK sends the parameter once
            for each element.
        checkpoint: Resume from this checkpoint of an earlier iteration of the same list.
        max_pages: Stop after this many pages.
        prefetch: Fetch the next page while you use the current one.
        concurrency: Number of pages to read in parallel after the total is known, from 1 to 64.

    Returns:
        A pager of entities.

    Raises:
        InvalidArgumentError: The path is unknown, the ID for its placeholder is missing, or you passed an ID for which
            the path has no placeholder. The SDK also raises `InvalidArgumentError` if another argument is invalid.
            Nothing was sent.
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
    """Return the ID that a path needs. Raise an error if the ID is missing, or if another ID was passed."""
    if path not in get_args(EntityPath):
        raise InvalidArgumentError(
            f"path must be one of the specification's paginated paths with its placeholders, such as "
            f"'/user/{{userId}}/groups'{_path_meant(path)}"
        )
    values: list[str] = []
    for name, value in given.items():
        argument = name.removesuffix("Id") + "_id"
        if (value is not None) != ("{" + name + "}" in path):
            problem = f"is missing; pass {argument}, because path contains its placeholder"
            raise InvalidArgumentError(f"{argument} {problem if value is None else _UNUSED}")
        if value is not None:
            values.append(number_or_text(argument, value))
    return values


_UNUSED = "doesn't belong to this path; leave it out"


def _path_meant(path: object) -> str:
    """Return the path that the caller probably meant, as the end of an error message. Leave out the caller's IDs."""
    if not isinstance(path, str):
        return ""
    bare = re.sub(r"^(/platform/rest)?(/v\d+)?", "", path)
    template = re.sub(r"^/(\w+)/[^{/][^/]*/", r"/\1/{\1Id}/", bare)
    if template in get_args(EntityPath):
        return f"; pass {template!r} and {template.split('/')[1]}_id=..."
    return did_you_mean(template, get_args(EntityPath), 0.8)
