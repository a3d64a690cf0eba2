"""Tables, pictures and headings of a report as HTML."""

import base64
import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from faying.results.verdicts import Verdict


@dataclass(frozen=True)
class Cell:
    """A cell of a table with a style: numbers are right-aligned, a verdict has a colour."""

    text: str
    verdict: Verdict = ""
    is_number: bool = False


@dataclass(frozen=True)
class Section:
    """A part of the report: `key` is its anchor, `level` is 1 for a chapter and 2 for a section in one."""

    key: str
    title: str
    body: str
    level: int = 1


def table(heads: Sequence[str], rows: Iterable[Sequence[object]], caption: str = "") -> str:
    """Return a table; "" without rows."""
    lines = [list(row) for row in rows]
    if not lines:
        return ""
    body = "".join(f"<tr>{''.join(_cell(cell) for cell in row)}</tr>" for row in lines)
    numbers = [
        all(isinstance(c, Cell) and c.is_number for c in column) for column in zip(*lines, strict=True)
    ]
    titles = "".join(
        f'<th class="number">{html.escape(h)}</th>' if right else f"<th>{html.escape(h)}</th>"
        for h, right in zip(heads, numbers, strict=False)
    )
    head = f"<thead><tr>{titles}</tr></thead>" if heads else ""
    above = f"<caption>{html.escape(caption)}</caption>" if caption else ""
    kind = "" if heads else ' class="facts"'
    return f"<table{kind}>{above}{head}<tbody>{body}</tbody></table>"


def without_empty(
    heads: Sequence[str], rows: Iterable[Sequence[object]]
) -> tuple[list[str], list[list[object]]]:
    """Return heads and rows without the columns that are empty in every row."""
    lines = [list(row) for row in rows]
    kept = [i for i in range(len(heads)) if any(_text(line[i]) for line in lines)]
    return [heads[i] for i in kept], [[line[i] for i in kept] for line in lines]


def _text(cell: object) -> str:
    return cell.text if isinstance(cell, Cell) else str(cell)


def _cell(cell: object) -> str:
    found = cell if isinstance(cell, Cell) else Cell(str(cell))
    kinds = [found.verdict, *(["number"] if found.is_number else [])]
    named = f' class="{" ".join(kinds).strip()}"' if any(kinds) else ""
    return f"<td{named}>{html.escape(found.text)}</td>"


def upright(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return a transposed table, for few rows of many columns: heads on the left, a column for each row."""
    first, *rest = zip(heads, *rows, strict=True)
    return table([str(cell) for cell in first], rest)


def paragraph(text: str, kind: str = "") -> str:
    """Return a paragraph of plain text; "" without text."""
    named = f' class="{kind}"' if kind else ""
    return f"<p{named}>{html.escape(text)}</p>" if text else ""


def bullets(sentences: Iterable[str]) -> str:
    """Return a list of sentences; "" without sentences."""
    items = "".join(f"<li>{html.escape(sentence)}</li>" for sentence in sentences)
    return f"<ul>{items}</ul>" if items else ""


def figure(path: Path, caption: str) -> str:
    """Return a picture from a file, inside the page, with a caption."""
    kind = {".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg"}[
        path.suffix.lower()
    ]
    coded, text = base64.b64encode(path.read_bytes()).decode(), html.escape(caption)
    return (
        f'<figure><img alt="{text}" src="data:{kind};base64,{coded}"><figcaption>{text}</figcaption></figure>'
    )


def numbered(sections: Sequence[Section]) -> tuple[str, str]:
    """Return contents and text of sections, their titles numbered "1", "1.1", …."""
    lines, texts, chapter, part = [], [], 0, 0
    for section in sections:
        chapter, part = (chapter + 1, 0) if section.level == 1 else (chapter, part + 1)
        number = f"{chapter}" if section.level == 1 else f"{chapter}.{part}"
        title = html.escape(section.title)
        lines.append(
            f'<li class="level{section.level}"><a href="#{section.key}">{number}&ensp;{title}</a></li>'
        )
        tag = f"h{section.level + 1}"
        texts.append(
            f'<section id="{section.key}"><{tag}>{number}&ensp;{title}</{tag}>\n{section.body}</section>'
        )
    return f"<ol>{''.join(lines)}</ol>", "\n".join(texts)
