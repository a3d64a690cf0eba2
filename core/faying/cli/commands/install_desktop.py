"""``faying install-desktop``: Faying in the menu of the desktop, and project files that open in it."""

import argparse
import os
import shlex
import shutil
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

from faying.cli.commands import Command, commands

_MIME = "application/x-faying-project"
# Places below the user's data folder; freedesktop.org: Desktop Entry Specification 1.5, Shared MIME-info 0.21.
_ENTRY, _TYPE = Path("applications/faying.desktop"), Path("mime/packages/faying.xml")
_ICON = Path("icons/hicolor/scalable/apps/faying.svg")
_ELSEWHERE = {
    "win32": "On Windows, open a project file with “Open with ▸ Choose another app”, take {program} and tick "
    "“Always”; for the menu, drag that program to Start.",
    "darwin": "On macOS, select a project file, choose File ▸ Get Info ▸ Open with ▸ Other, take {program} and press "
    "“Change All”; for the Dock, drag that program there.",
}


@commands.register("install-desktop")
class InstallDesktop(Command):
    """Writes a desktop entry, an icon and a file type for this user; on other systems says what to click."""

    summary = "put Faying into the desktop's menu and let project files open in it"
    order = 95

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Add the argument."""
        parser.add_argument("--remove", action="store_true", help="take all of it away again")

    def run(self, words: argparse.Namespace) -> int:
        """Write or remove the files, and tell which."""
        from faying.errors import FayingError

        program = _program()
        if sys.platform in _ELSEWHERE:
            print(_ELSEWHERE[sys.platform].format(program=program))
            return 0
        base = _data_folder()
        try:
            for path, text in _texts(program).items():
                target = base / path
                if words.remove:
                    target.unlink(missing_ok=True)
                else:
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_text(text, encoding="utf-8")
                print(f"{'removed' if words.remove else 'written'}: {target}")
        except OSError as error:
            raise FayingError(
                f"{base} cannot be changed ({error.strerror}).", "Set XDG_DATA_HOME to another folder."
            ) from error
        _tell_desktop(base)
        return 0


def _program() -> str:
    """Return the program that opens the window: beside this Python, else this Python itself."""
    beside = Path(sys.executable).with_name("faying-gui.exe" if sys.platform == "win32" else "faying-gui")
    return str(beside) if beside.exists() else f"{sys.executable} -m faying gui"


def _data_folder() -> Path:
    chosen = os.environ.get("XDG_DATA_HOME", "")
    return Path(chosen) if Path(chosen).is_absolute() else Path.home() / ".local" / "share"


def _texts(program: str) -> dict[Path, str]:
    """Return the texts of all files by their places below the data folder."""
    command = " ".join(
        _quoted(word) for word in ([program] if Path(program).exists() else shlex.split(program))
    )
    entry = (
        "[Desktop Entry]\nType=Application\nName=Faying\nGenericName=Jointed structures\n"
        "Comment=Contact and friction inside jointed flexible bodies\n"
        f"Exec={command} %f\nIcon=faying\nTerminal=false\nCategories=Science;Engineering;\nMimeType={_MIME};\n"
    )
    kind = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">\n'
        f'  <mime-type type="{_MIME}">\n    <comment>Faying project</comment>\n'
        '    <sub-class-of type="application/x-hdf"/>\n    <glob pattern="*.faying" weight="60"/>\n'
        "  </mime-type>\n</mime-info>\n"
    )
    picture = files("faying_resources").joinpath("icons", "faying.svg").read_text(encoding="utf-8")
    return {_ENTRY: entry, _TYPE: kind, _ICON: picture}


def _quoted(word: str) -> str:
    """Return a word of an Exec line: in quotes, what is special there behind a backslash, a percent sign twice.

    Each backslash is doubled once more, for the value of a key has escapes of its own.
    """
    escaped = "".join(f"\\{c}" if c in '"`$\\' else c for c in word)
    return '"' + escaped.replace("\\", "\\\\").replace("%", "%%") + '"'


def _tell_desktop(base: Path) -> None:
    """Let the desktop read its folders again, where it has the programs for it; it does so by itself later."""
    for words in (
        ["update-desktop-database", str(base / "applications")],
        ["update-mime-database", str(base / "mime")],
        ["xdg-mime", "default", _ENTRY.name, _MIME],
    ):
        if shutil.which(words[0]):
            subprocess.run(words, check=False, capture_output=True, timeout=60)
