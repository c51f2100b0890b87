"""Links to the next page, which are hostile input: only a cursor is ever taken out of one. No I/O."""

from urllib.parse import parse_qs, unquote, urlsplit

from ...errors import PaginationError


def cursor_of(link: str, path: tuple[str, ...], prefix: str, direction: str) -> str:
    """Take the cursor, and nothing else, out of a link of the service (H22).

    Args:
        link: Path and query as the service gave them.
        path: The list's own path segments, decoded.
        prefix: Path of the base address, which the link may or may not carry.
        direction: The parameter that holds the cursor.

    Raises:
        PaginationError: The link does not lead to this list.
    """
    problem = PaginationError("the link to the next page does not lead to this list; it was not followed")
    if not link.startswith("/") or link.startswith("//") or "\\" in link or "#" in link or not link.isprintable():
        raise problem
    parts = urlsplit(link)
    own = list(path)
    segments = [unquote(segment) for segment in parts.path.strip("/").split("/")]
    if segments not in (own, [segment for segment in prefix.split("/") if segment] + own):
        raise problem
    cursors = parse_qs(parts.query, keep_blank_values=True).get(direction, [])
    if len(cursors) != 1 or not cursors[0]:
        raise problem
    return cursors[0]
