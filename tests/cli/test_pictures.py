"""The pictures in the documentation show what the commands write today."""

from __future__ import annotations

import html
import re

import pytest

from cli.pictures import FOLDER, PICTURES, Picture, draw


@pytest.mark.parametrize("picture", PICTURES, ids=lambda each: each.name)
def test_a_picture_shows_the_current_output(picture: Picture) -> None:
    kept = (FOLDER / f"{picture.name}.svg").read_text(encoding="utf-8")
    assert words(kept) == words(draw(picture)), "draw it again with PYTHONPATH=tests python -m cli.pictures"
    assert not re.search(r"(href|src|url)\s*[=(]\s*['\"]?https?:", kept), "a picture must load nothing from other sites"


def words(drawn: str) -> list[str]:
    """Return the words of a picture. Of a help page, return only the options, because typer's layout varies."""
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", drawn)
    found = " ".join(html.unescape(text).replace("\xa0", " ") for text in texts).split()
    return [each for each in found if each.startswith("--")] if "Usage:" in found else found


def test_no_picture_is_left_over() -> None:
    assert {each.stem for each in FOLDER.glob("*.svg")} == {each.name for each in PICTURES}
