"""Invoices of subscriptions."""

from datetime import date
from typing import Literal

from ..._core.client.described import PUBLISHED, describes
from ..._core.lists.listing import ByCursor, Listing, cursor_list
from ..._core.lists.parameters import ListParams
from ..._core.operations.arguments import query
from ..._core.operations.operation import Operation, get
from ...models.invoice import Invoice
from ._writes import day


@describes("billing", "invoices.list", source=PUBLISHED)
def list_invoices(
    *,
    limit: int | None = None,
    starting_after: str | None = None,
    ending_before: str | None = None,
    account: str | None = None,
    subscription: str | None = None,
    status: Literal["Due"] | str | None = None,
    invoice_date: date | None = None,
    params: ListParams | None = None,
    checkpoint: str | None = None,
    max_pages: int | None = None,
    prefetch: bool = False,
) -> Listing[Invoice]:
    """List invoices.

    Args:
        limit: Page size, from 1 to 100; the service's default is 20.
        starting_after: Start after the invoice with this ID.
        ending_before: Read backward, starting before the invoice with this ID. Within each page, the items stay in the
            service's order.
        account: Only invoices of this account, by its `id` or `vid`, up to 128 characters.
        subscription: Only invoices of this subscription, by its `id` or `vid`, up to 128 characters.
        status: Only invoices with this status. The sources document only the status `Due`, and only together with the
            filter `subscription`.
        invoice_date: Only invoices with this invoice date.
        params: Additional query parameters, by their wire names. If a value is a list, the SDK sends the parameter once
            for each element.
        checkpoint: Resume from this checkpoint of an earlier iteration of the same list.
        max_pages: Stop after this many pages.
        prefetch: Fetch the next page while you use the current one.

    Returns:
        A pager of invoices.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
    """
    return cursor_list(
        "/invoices",
        item=Invoice,
        paging=ByCursor(limit, starting_after, ending_before, params, checkpoint, max_pages, prefetch),
        filters=query(
            texts={"status": status, "invoice_date": day("invoice_date", invoice_date)},
            identifiers={"account": account, "subscription": subscription},
        ),
    )


@describes("billing", "invoices.retrieve", source=PUBLISHED)
def retrieve_invoice(invoice: str) -> Operation[Invoice]:
    """Retrieve an invoice.

    Args:
        invoice: The invoice's ID, up to 137 characters: the subscription's ID, `-`, and the number of the bill in eight
            digits.

    Returns:
        The invoice.

    Raises:
        InvalidArgumentError: The identifier is invalid. Nothing was sent.
        NotFoundError: The invoice doesn't exist.
    """
    return get("/invoices/{invoice:137}", invoice, result=Invoice)
