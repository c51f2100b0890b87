"""Custom data arrays of users."""

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

    The specification does not show the name of the query parameter: set it with
    `WireNames(custom_data_filter_param=...)`. The service evaluates the filter when the request arrives, so a
    retry would also delete items that were added since; it is not retried when the outcome is unknown.

    Args:
        user_id: A user's id, as text or as the whole number that responses give, or `"me"` (`ME`) for the
            authenticated user. Check a user id that comes from outside data: the text `me` in it deletes data of
            the authenticated user.
        property_array_name: Name of the custom data array.
        filter: Which items, built with `subscribekit.filters.field`, or the text of a filter expression, which is
            taken as it is.

    Raises:
        InvalidArgumentError: An argument is refused, such as an empty filter; nothing was sent.
        ConfigurationError: The wire name of the filter is not set.
        UserNotFoundError: There is no such user.
        OutcomeUnknownError: The items may or may not have been deleted; `reconcile_key` is user and array
            (`u1/notes`). No call reads them: `client.resolve(error).support_details` is what to tell the operator.
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
