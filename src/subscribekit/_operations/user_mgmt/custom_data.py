"""The custom data arrays of users."""

from ..._core.client.described import describes, specification
from ..._core.operations.arguments import Wire, number_or_text
from ..._core.operations.operation import Operation, Safety, delete
from ...filters import Filter, filter_text


@describes("user_mgmt", "custom_data.delete", source=specification("E9"))
def delete_custom_data(
    user_id: str | int,
    property_array_name: str,
    *,
    filter: Filter | str,  # noqa: A002  the word of the specification
) -> Operation[None]:
    """Delete the items of a custom data array that match a filter.

    The specification doesn't show the name of the query parameter. Set it with
    `WireNames(custom_data_filter_param=...)`. The service evaluates the filter when the request arrives, so a retry
    could also delete items that were added later. If the outcome is unknown, the SDK therefore doesn't retry the call.

    Args:
        user_id: A user's ID, as a string or as the integer in responses; or `"me"` (`ME`) for the signed-in user. If
            the ID comes from outside your application, check that it isn't `me`, which would delete data of the
            signed-in user.
        property_array_name: The name of the custom data array.
        filter: The items to delete: a filter from `subscribekit.filters.field`, or a string with a filter expression,
            which is sent unchanged.

    Raises:
        InvalidArgumentError: An argument is invalid, such as an empty filter. Nothing was sent.
        ConfigurationError: The wire name of the filter isn't set.
        UserNotFoundError: The user doesn't exist.
        OutcomeUnknownError: The items may or may not have been deleted. `reconcile_key` contains the user and the array
            (`u1/notes`). No call can read the items, so send `client.resolve(error).support_details` to the operator.
    """
    user = number_or_text("user_id", user_id)
    return delete(
        "/customData/v1/user/{userId:1024}/{propertyArrayName:1024}",
        user,
        property_array_name,
        safety=Safety.DELETE_MATCHING,
        query=((Wire("custom_data_filter_param"), filter_text(filter)),),
        reconcile_key=f"{user}/{property_array_name}",
    )
