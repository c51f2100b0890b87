"""Returns pages of lists: by cursor in the billing API, and by offset in the account-lifecycle API.

The specification defines the `List` object that contains a page. The specification also defines that `limit` is a
number from 1 to 100, with a default of 20. According to the specification, a list ends with an empty page without
`next`. Cursors stay valid if items are added or removed. For the account-lifecycle API, the section Limits of the
specification defines the rules for pages.

In the published samples, the last page that contains items still has `next`. In the published samples, `total_count` is
the number of items in the whole filtered list. In the published samples, the values in `next` are form-encoded.

The sandbox assumes that lists are in the order of creation, and that a request with an unknown cursor returns 400. The
sandbox assumes that a negative `size` is a `page-size-error`, and that `size=0` returns all items from `offset` on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from urllib.parse import urlencode

from ..store import Collection
from ..values import Document, Value, text
from .call import Call
from .responses import Reply, billing_refusal, page_refusal

DEFAULT_LIMIT = 20
MAX_LIMIT = 100


def cursor_page(
    call: Call,
    found: Sequence[Document],
    order: Collection,
    present: Callable[[Document], Value],
    *,
    cursor: str = "id",
) -> Reply:
    """Return a page of a list of the billing API.

    The cursor of an item is its ID. If the item has no ID (as in the published samples), or if IDs aren't unique, the
    cursor is the item's vid.
    """
    limit = _limit(call)
    page = _slice(call, found, order, limit)
    body: Document = {
        "object": "List",
        "data": [present(document) for document in page],
        "total_count": len(found),
        "url": here_address(call),
    }
    if page:
        body["next"] = _cursor_address(call, "starting_after", page[-1], cursor)
        body["previous"] = _cursor_address(call, "ending_before", page[0], cursor)
    return Reply(body)


def _limit(call: Call) -> int:
    limit = _whole(call.query.get("limit", str(DEFAULT_LIMIT)))
    if limit is None or not 1 <= limit <= MAX_LIMIT:
        raise billing_refusal(400, f"limit must be a whole number from 1 to {MAX_LIMIT}.")
    return limit


def _slice(call: Call, found: Sequence[Document], order: Collection, limit: int) -> Sequence[Document]:
    after, before = call.key("starting_after"), call.key("ending_before")
    if after is not None and before is not None:
        raise billing_refusal(400, "Send either starting_after or ending_before, not both.")
    if before is not None:
        position = _position(order, before)
        return [document for document in found if _position(order, text(document, "vid")) < position][-limit:]
    # The fault `empty_page_with_next` returns its own cursor, which the sandbox replaces with the cursor of the
    # original request.
    after = call.store.cursors.get(after or "", after or "")
    start = _position(order, after) if after else -1
    return [document for document in found if _position(order, text(document, "vid")) > start][:limit]


def _position(order: Collection, key: str) -> int:
    position = order.position(key)
    if position is None:
        raise billing_refusal(400, "The cursor does not refer to an object of this list.")
    return position


def _cursor_address(call: Call, name: str, document: Document, cursor: str) -> str:
    others = [(key, value) for key, value in call.request.query if key not in {"starting_after", "ending_before"}]
    return _address(call, [*others, (name, text(document, cursor) or text(document, "vid"))])


def _address(call: Call, query: Sequence[tuple[str, str]]) -> str:
    return f"{call.request.path}?{urlencode(query)}" if query else call.request.path


def here_address(call: Call) -> str:
    """Return the path and the query of a request, which a list returns as its `url`."""
    return _address(call, call.request.query)


def offset_page(call: Call, found: Sequence[Document]) -> Reply:
    """Return a page of a list of the account-lifecycle API."""
    offset = _whole(call.query.get("offset", "0"))
    size = _whole(call.query.get("size", str(call.settings.default_page_size)))
    if offset is None or offset < 0:
        raise page_refusal("invalid-page-offset", "offset must be zero or a positive whole number")
    if size is None or size < 0 or size > call.settings.max_page_size:
        raise page_refusal("page-size-error", f"size must be a whole number from 0 to {call.settings.max_page_size}")
    if size == 0 and len(found) > call.settings.max_page_size:
        raise page_refusal("max-return-page-size", "the results exceed the maximum page size")
    page = found[offset:] if size == 0 else found[offset : offset + size]
    return Reply(list[Value](page), headers={"X-Total-Count": str(len(found))})


def _whole(value: str) -> int | None:
    digits = value.removeprefix("-")
    if not digits.isascii() or not digits.isdigit() or len(digits) > len("1000000000"):
        return None
    return int(value)
