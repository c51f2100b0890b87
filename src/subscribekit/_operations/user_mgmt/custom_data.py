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
    filter: Filter | str,  # noqa: A002  the specification's word
) -> Operation[None]:
    """Delete the items of a custom data array that match a filter.

    The specification doesn't document the wire name of the filter, so set the wire name with
    `WireNames(custom_data_filter_param=...)`. The service evaluates the filter when the request arrives, so a retry
    would also delete items that were added in the meantime. The SDK doesn't retry the call if the outcome is unknown.

    Args:
        user_id: The user's ID as a string, or as the integer that responses contain. `"me"` (the constant `ME`) is the
            signed-in user. If the ID comes from untrusted data, check it, because `me` deletes the data of the
            signed-in user.
        property_array_name: The name of the custom data array.
        filter: The filter that selects the items to delete. Pass a filter from `subscribekit.filters.field`, or a
            filter expression as a string, which the SDK sends unchanged.

    Raises:
        InvalidArgumentError: An argument is invalid, such as an empty filter. Nothing was sent.
        ConfigurationError: The wire name of the filter isn't set.
        UserNotFoundError: The user doesn't exist.
        OutcomeUnknownError: The items may or may not have been deleted, and no read can find out whether they were. The
            error's `reconcile_key` contains the user's ID and the array's name, such as `u1/notes`. Send
            `client.resolve(error).support_details` to the operator.
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
