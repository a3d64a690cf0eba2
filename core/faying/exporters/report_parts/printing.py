"""A page as a PDF, printed by a browser of this machine according to the page's style: paper, margins, …"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from faying.errors import MissingDependencyError

_NAMES = (
    "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge", "msedge",
    "brave-browser",
)  # fmt: skip
_PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
    r"C:\Program Files\Microsoft\Edge\Application\msedge.exe",
)
_ASKED_FOR = "FAYING_BROWSER"
_PATIENCE = 180.0  # seconds
_HINT = "Write the report as .html, and print it from any browser: it brings its page rules along."


def find_browser() -> str:
    """Return the path of a browser that prints without a window (the Chromium family), or "".

    The environment variable FAYING_BROWSER takes precedence.
    """
    if wanted := os.environ.get(_ASKED_FOR, ""):
        return shutil.which(wanted) or ""
    found = (path for name in _NAMES if (path := shutil.which(name)))
    return next(found, "") or next((place for place in _PLACES if Path(place).is_file()), "")


def require_browser() -> str:
    """Return the path of the browser.

    Raises:
        MissingDependencyError: when there is none; names the suitable ones.
    """
    if browser := find_browser():
        return browser
    raise MissingDependencyError(
        "No browser was found that prints a PDF: Chromium, Chrome or Edge.",
        f"Install one, or name it in the environment variable {_ASKED_FOR}. {_HINT}",
    )


def print_page(page: str, path: Path) -> None:
    """Print an HTML page into a PDF.

    Args:
        page: its self-contained text.
        path: the PDF.

    Raises:
        MissingDependencyError: when there is no browser, or it prints nothing.
    """
    browser = require_browser()
    with tempfile.TemporaryDirectory(prefix="faying-") as folder:
        printed = _printed(browser, page, Path(folder))
        # Browsers cannot write the page numbers of headings into the contents: they are known only after printing.
        if (counted := with_pages(page, printed)) != page:
            printed = _printed(browser, counted, Path(folder))
        path.write_bytes(printed)


def with_pages(page: str, printed: bytes) -> str:
    """Return an HTML page with page numbers in its contents, taken from the printed PDF.

    Args:
        page: with contents as created by `markup.numbered`.
        printed: its PDF; without positions of headings in it, no numbers are written.
    """
    sheets = re.findall(rb"(?m)^(\d+) 0 obj\s*<<\s*/Type\s*/Page\b", printed)
    number_of = {sheet: i for i, sheet in enumerate(sheets, start=1)}
    places = re.findall(rb"/([\w-]+)\s*\[(\d+) 0 R\s*/XYZ", printed)
    pages = {key.decode(): number_of[sheet] for key, sheet in places if sheet in number_of}

    def counted(found: re.Match[str]) -> str:
        number = pages.get(found[2])
        return found[0] if number is None else f"{found[1]}<span>{number}</span></li>"

    return re.sub(r'(<a href="#([\w-]+)">[^<]*</a>)</li>', counted, page)


def _printed(browser: str, page: str, folder: Path) -> bytes:
    """Return the PDF of a page."""
    source, target = folder / "report.html", folder / "report.pdf"
    source.write_text(page, encoding="utf-8")
    words = [
        browser, "--headless", "--disable-gpu", "--no-first-run", f"--user-data-dir={folder}/profile",
        "--no-pdf-header-footer", "--generate-pdf-document-outline", f"--print-to-pdf={target}", source.as_uri(),
    ]  # fmt: skip
    if sys.platform == "linux" and os.geteuid() == 0:
        words.insert(1, "--no-sandbox")  # Chromium refuses to start for root with it; the page is our own
    try:
        done = subprocess.run(words, capture_output=True, timeout=_PATIENCE, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise MissingDependencyError(f"{browser} did not print the report: {error}.", _HINT) from error
    if not target.is_file() or not target.stat().st_size:
        told = done.stderr.decode(errors="replace").strip().splitlines()[-1:] or ["it said nothing"]
        raise MissingDependencyError(f"{browser} did not print the report: {told[0]}", _HINT)
    return target.read_bytes()
