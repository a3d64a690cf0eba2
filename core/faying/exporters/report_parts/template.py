"""The page around a report: the default template, or a company's own."""

import string
from pathlib import Path

from faying.errors import FayingError

ENDINGS = (".html", ".htm")
NAMES = (
    "title", "subtitle", "author", "revision", "date", "units", "logo", "contents", "sections", "appendix", "style",
)  # fmt: skip

STYLE = """
@page { size: $paper; margin: 18mm 16mm 20mm 20mm;
  @bottom-left { content: "$running"; font: 8pt sans-serif; color: #5b6672; }
  @bottom-right { content: counter(page) " / " counter(pages); font: 8pt sans-serif; color: #5b6672; } }
:root { --ink: #1b1f24; --muted: #5b6672; --line: #c5ced8; --good: #1a6e3c; --fair: #7a5200; --bad: #b3261e; }
body { font: 15px/1.5 system-ui, "Segoe UI", sans-serif; color: var(--ink); background: #fff; max-width: 960px;
  margin: 2em auto; padding: 0 1em; }
header { display: flex; justify-content: space-between; gap: 2em; border-bottom: 2px solid var(--ink); }
header img { max-height: 56px; border: 0; }
h1 { margin: 0 0 0.2em; line-height: 1.2; } h2 { margin-top: 2em; border-bottom: 1px solid var(--line); }
h3 { margin: 1.6em 0 0.3em; } h4 { margin: 1.2em 0 0.2em; }
dl.facts { display: grid; grid-template-columns: max-content auto; gap: 0 1.2em; margin: 0.6em 0 1em; }
dl.facts dt { color: var(--muted); } dl.facts dd { margin: 0; }
nav ol { list-style: none; padding: 0; margin: 0.4em 0; columns: 2; } nav .level2 { padding-left: 1.6em; }
nav a { color: inherit; text-decoration: none; } nav a:hover { text-decoration: underline; }
nav li { display: flex; justify-content: space-between; gap: 1em; padding-right: 1.6em; }
table { border-collapse: collapse; margin: 0.6em 0 1.2em; width: 100%; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--muted); padding-bottom: 0.3em; }
th, td { text-align: left; padding: 0.22em 1em 0.22em 0; vertical-align: top; border-bottom: 1px solid #e4eaf1; }
th { font-weight: 600; border-bottom: 1px solid var(--line); }
td.number, th.number { text-align: right; white-space: nowrap; }
table.facts td:first-child { width: 34%; }
.good { color: var(--good); } .acceptable, .warning { color: var(--fair); } .doubtful, .error { color: var(--bad); }
.doubtful, .error { font-weight: 600; } .muted, figcaption { color: var(--muted); } figcaption { font-size: 0.9em; }
figure { margin: 0.8em 0 1.2em; } img { max-width: 100%; }
@media (max-width: 600px) { table { display: block; overflow-x: auto; } }
@media print { body { max-width: none; margin: 0; padding: 0; font-size: 10pt; } table { font-size: 8.5pt; }
  figure { margin: 0.4em 0 0.8em; } figure img { max-height: 95mm; } h2, h3, h4 { break-after: avoid; }
  figure, tr, caption { break-inside: avoid; } caption, thead { break-after: avoid; }
  p, li, dd { orphans: 3; widows: 3; }
  tbody tr:first-child, tbody tr:nth-last-child(-n+2) { break-before: avoid; } thead { display: table-header-group; }
  a { color: inherit; }
  #appendix { break-before: page; } }
"""

PAGE = """<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>$title</title>
<style>$style</style></head>
<body>
<header><div><h1>$title</h1>$subtitle</div>$logo</header>
<dl class="facts">
<dt>Author</dt><dd>$author</dd>
<dt>Revision</dt><dd>$revision</dd>
<dt>Date</dt><dd>$date</dd>
<dt>Units</dt><dd>$units</dd>
</dl>
<nav><h2>Contents</h2>$contents</nav>
<main>
$sections
</main>
<div id="appendix">
$appendix
</div>
</body>
</html>
"""


def filled(template: str, words: dict[str, str]) -> str:
    """Return a template with its $names replaced; $$ gives a dollar sign.

    Raises:
        FayingError: when it has a $name that is not in `words`.
    """
    try:
        return string.Template(template).substitute(words)
    except KeyError as error:
        raise FayingError(
            f"The template uses ${error.args[0]}, which a report does not have.",
            f"It has: {', '.join(f'${name}' for name in NAMES)}.",
        ) from None
    except ValueError:
        raise FayingError(
            "The template has a dollar sign that is followed by no name.", "Write $$ for a dollar sign."
        ) from None


def read_template(path: Path) -> str:
    """Return the text of a template.

    Raises:
        FayingError: when it cannot be read, or has no place for the sections.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise FayingError(f"The template {path} cannot be read.", "Give an HTML file in UTF-8.") from error
    if "$sections" not in text and "${sections}" not in text:
        raise FayingError(
            f"The template {path} has no place for the sections.",
            "Begin with the one that faying report --write-template writes.",
        )
    return text


def style(paper: str, running: str) -> str:
    """Return the style sheet for a paper ("A4" or "letter"), with a text at the foot of each page."""
    plain = "".join(sign if sign not in '\\"\n<>' else " " for sign in running)
    return string.Template(STYLE).substitute(paper=paper, running=plain)
