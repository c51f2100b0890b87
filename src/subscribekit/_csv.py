"""Cells of CSV files that people open in a spreadsheet."""

_BEGINS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def safe_text(text: str) -> str:
    """Give a text that a spreadsheet shows and does not run: an apostrophe goes before what would begin a formula."""
    return f"'{text}" if text.startswith(_BEGINS_A_FORMULA) else text


def without_apostrophe(text: str) -> str:
    """Return the text that `safe_text` was given, without the apostrophe that it added."""
    return text[1:] if text[:1] == "'" and text[1:].startswith(_BEGINS_A_FORMULA) else text
