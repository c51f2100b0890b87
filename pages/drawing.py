"""A small kit for pictures: boxes with lines of text, arrows and labels, as SVG that takes the colours of its page."""

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
    """A picture under way; what is drawn is kept in order.

    Attributes:
        name: Name of the file, and of what is referred to inside of it.
        title: What it shows, for screen readers too.
        text: The same in sentences, for who cannot see it.
        width: In units of about a pixel.
        height: In units of about a pixel.
    """

    name: str
    title: str
    text: str
    width: int
    height: int
    parts: list[str] = field(default_factory=list[str])

    def box(self, x: int, y: int, width: int, *lines: str, kind: str = "", height: int = 0) -> None:
        """Draw a box; a line that begins with a backquote is code, one that begins with a minus is small."""
        height = height or box_height(*lines)
        self.parts.append(
            f'<rect class="{kind or "plain"}" x="{x}" y="{y}" width="{width}" height="{height}" rx="6" fill="none"'
            ' stroke="#777"/>'
        )
        for number, line in enumerate(lines):
            self.label(x + PADDING, y + LINE * (number + 1) + 3, line)

    def label(self, x: int, y: int, line: str, anchor: str = "start") -> None:
        """Write one line."""
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
    """Give the height of a box with these lines."""
    return LINE * len(lines) + PADDING
