"""Bills of subscriptions."""

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
        limit: Page size, 1 to 100; the service uses 20 when absent.
        starting_after: Begin after the invoice with this id.
        ending_before: Read backwards from before the invoice with this id; within a page the order stays.
        account: Only invoices of this account, by id or vid, at most 128 characters.
        subscription: Only invoices of this subscription, by id or vid, at most 128 characters.
        status: Only invoices with this status; `Due` was seen, together with `subscription`.
        invoice_date: Only invoices of this day.
        params: Further query parameters, by their names on the wire; several values send one several times.
        checkpoint: Go on where an earlier iteration of the same list stopped.
        max_pages: Stop after so many pages.
        prefetch: Read one page ahead while the present one is used.

    Returns:
        A pager of invoices.

    Raises:
        InvalidArgumentError: An argument is refused; nothing was sent.
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
    """Read an invoice.

    Args:
        invoice: Its id, at most 137 characters: subscription id, `-` and the billing's number in eight digits.

    Returns:
        The invoice.

    Raises:
        InvalidArgumentError: The identifier is not one; nothing was sent.
        NotFoundError: There is no such invoice.
    """
    return get("/invoices/{invoice:137}", invoice, result=Invoice)
