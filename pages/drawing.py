"""Draws SVG pictures with boxes, arrows, and labels. The style sheet of the page sets their colors."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape

LINE = 20
HEAD = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" font-family="sans-serif"
 font-size="14" fill="#333" aria-labelledby="{name}-title {name}-text">
<title id="{name}-title">{title}</title>
<desc id="{name}-text">{text}</desc>
<defs><marker id="{name}-arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto">
<path d="M0 0L10 5L0 10z" fill="#777"/></marker></defs>
"""
PADDING = 14


@dataclass
class Picture:
    """A picture, to which each method adds a part.

    Attributes:
        name: The name of the file, and the start of the IDs inside the file.
        title: The title, which screen readers also read.
        text: A description in sentences for people who can't see the picture.
        width: The width in units of about a pixel.
        height: The height in units of about a pixel.
        parts: The SVG elements, in the order in which they are drawn.
    """

    name: str
    title: str
    text: str
    width: int
    height: int
    parts: list[str] = field(default_factory=list[str])

    def box(self, x: int, y: int, width: int, *lines: str, kind: str = "", height: int = 0) -> None:
        """Draw a box. A line that starts with a backquote is code, and a line that starts with a minus is small."""
        height = height or box_height(*lines)
        self.parts.append(
            f'<rect class="{kind or "plain"}" x="{x}" y="{y}" width="{width}" height="{height}" rx="6" fill="none"'
            ' stroke="#777"/>'
        )
        for number, line in enumerate(lines):
            self.label(x + PADDING, y + LINE * (number + 1) + 3, line)

    def label(self, x: int, y: int, line: str, anchor: str = "start") -> None:
        """Write one line of text."""
        style = {"`": "code", "-": "small"}.get(line[:1], "")
        text = line[1:] if style else line
        kind = f' class="{style}"' if style else ""
        place = f' text-anchor="{anchor}"' if anchor != "start" else ""
        self.parts.append(f'<text{kind} x="{x}" y="{y}"{place}>{escape(text)}</text>')

    def arrow(self, path: str) -> None:
        """Draw an arrow along a path."""
        self.parts.append(f'<path d="{path}" fill="none" stroke="#777" marker-end="url(#{self.name}-arrow)"/>')

    def line(self, path: str) -> None:
        """Draw a line along a path."""
        self.parts.append(f'<path d="{path}" fill="none" stroke="#777"/>')

    def dot(self, x: int, y: int, kind: str) -> None:
        """Draw a point of a timeline."""
        self.parts.append(f'<circle class="{kind}" cx="{x}" cy="{y}" r="7" fill="#777"/>')

    def __str__(self) -> str:
        head = HEAD.format(
            width=self.width, height=self.height, name=self.name, title=escape(self.title), text=escape(self.text)
        )
        return head + "\n".join([*self.parts, "</svg>", ""])


def box_height(*lines: str) -> int:
    """Return the height of a box with these lines."""
    return LINE * len(lines) + PADDING
