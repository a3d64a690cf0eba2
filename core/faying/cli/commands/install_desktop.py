"""``faying install-desktop``: adds Faying to the desktop's menu, and makes project files open in it."""

import argparse
import os
import plistlib
import shlex
import shutil
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

from faying.cli.commands import Command, commands
from faying.version import __version__

_MIME = "application/x-faying-project"
_NAME = "org.faying.Faying"  # of the program and of the type of its files, as macOS names them
# Places below the user's data folder; freedesktop.org: Desktop Entry Specification 1.5, Shared MIME-info 0.21.
_ENTRY, _TYPE = Path("applications/faying.desktop"), Path("mime/packages/faying.xml")
_ICON = Path("icons/hicolor/scalable/apps/faying.svg")
_BUNDLE = Path("Faying.app/Contents")  # below the user's Applications
_SCRIPT = Path("faying-desktop.ps1")  # below the user's application data
_WHAT_NEXT = {
    "win32": "Let Windows take it over:\n    powershell -ExecutionPolicy Bypass -File {script}{remove}",
    "darwin": "macOS finds it by itself. For projects to open in it by a double click, select one, press ⌘I, choose "
    "Faying at “Open with” and press “Change All”.",
}


@commands.register("install-desktop")
class InstallDesktop(Command):
    """Writes the files that the desktop needs, for this user: entry and file type, an application, or a script."""

    summary = "put Faying into the desktop's menu and let project files open in it"
    order = 95

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Add the argument."""
        parser.add_argument("--remove", action="store_true", help="take all of it away again")

    def run(self, args: argparse.Namespace) -> int:
        """Write or remove the files, and print their names."""
        from faying.errors import FayingError

        base = _data_folder()
        try:
            for path, text in _texts(_program()).items():
                target = base / path
                if args.remove and path == _SCRIPT:  # the script removes its own entries
                    continue
                if args.remove:
                    target.unlink(missing_ok=True)
                else:
                    target.parent.mkdir(parents=True, exist_ok=True)
                    # Without the byte order mark PowerShell reads the script in the local code page.
                    target.write_text(text, encoding="utf-8-sig" if path == _SCRIPT else "utf-8")
                    if path.parent.name == "MacOS":
                        target.chmod(0o755)
                print(f"{'removed' if args.remove else 'written'}: {target}")
        except OSError as error:
            raise FayingError(
                f"{base} cannot be changed ({error.strerror}).",
                "" if sys.platform in _WHAT_NEXT else "Set XDG_DATA_HOME to another folder.",
            ) from error
        if sys.platform == "darwin" and args.remove:
            shutil.rmtree(base / _BUNDLE.parent, ignore_errors=True)
        elif sys.platform in _WHAT_NEXT:
            remove = " -Remove" if args.remove else ""
            print(_WHAT_NEXT[sys.platform].format(script=base / _SCRIPT, remove=remove))
        else:
            _tell_desktop(base)
        return 0


def _program() -> list[str]:
    """Return the command that opens the window: the program next to this Python, or this Python itself."""
    beside = Path(sys.executable).with_name("faying-gui.exe" if sys.platform == "win32" else "faying-gui")
    return [str(beside)] if beside.exists() else [sys.executable, "-m", "faying", "gui"]


def _data_folder() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "Faying"
    if sys.platform == "darwin":
        return Path.home() / "Applications"
    chosen = os.environ.get("XDG_DATA_HOME", "")
    return Path(chosen) if Path(chosen).is_absolute() else Path.home() / ".local" / "share"


def _texts(words: list[str]) -> dict[Path, str]:
    """Return the texts of all files by their places below the data folder."""
    if sys.platform == "win32":
        return {_SCRIPT: _powershell(words)}
    if sys.platform == "darwin":
        return {
            _BUNDLE / "Info.plist": _property_list(),
            _BUNDLE / "PkgInfo": "APPL????",
            _BUNDLE / "MacOS" / "faying": f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n',
        }
    command = " ".join(_quoted(word) for word in words)
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


def _property_list() -> str:
    """Return the property list of a macOS application: its name and file type (Core Foundation Keys)."""
    return plistlib.dumps(
        {
            "CFBundleName": "Faying", "CFBundleIdentifier": _NAME, "CFBundleExecutable": "faying",
            "CFBundlePackageType": "APPL", "CFBundleShortVersionString": __version__, "CFBundleVersion": __version__,
            "NSHighResolutionCapable": True,
            "CFBundleDocumentTypes": [
                {"CFBundleTypeName": "Faying project", "CFBundleTypeRole": "Editor", "LSHandlerRank": "Owner",
                 "LSItemContentTypes": [f"{_NAME}.project"]}
            ],
            "UTExportedTypeDeclarations": [
                {"UTTypeIdentifier": f"{_NAME}.project", "UTTypeDescription": "Faying project",
                 "UTTypeConformsTo": ["public.data"],
                 "UTTypeTagSpecification": {"public.filename-extension": ["faying"]}}
            ],
        }
    ).decode()  # fmt: skip


def _powershell(words: list[str]) -> str:
    """Return a script that makes an entry in Start, and registry keys for project files (Windows, *File Types*).

    All keys are the user's own, below HKEY_CURRENT_USER; with -Remove it deletes them again.
    """

    def text(word: str) -> str:
        return "'" + word.replace("'", "''") + "'"

    opens = " ".join(f'"{word}"' for word in words) + ' "%1"'
    arguments = " ".join(f'"{word}"' for word in words[1:])
    return "\r\n".join(
        [
            "param([switch]$Remove)",
            "$classes = 'HKCU:\\Software\\Classes'",
            "$link = Join-Path ([Environment]::GetFolderPath('Programs')) 'Faying.lnk'",
            "if ($Remove) {",
            '    Remove-Item -Path "$classes\\.faying" -Recurse -ErrorAction SilentlyContinue',
            '    Remove-Item -Path "$classes\\Faying.Project" -Recurse -ErrorAction SilentlyContinue',
            "    Remove-Item -Path $link -ErrorAction SilentlyContinue",
            "    Remove-Item -Path $PSCommandPath",
            "    return",
            "}",
            "New-Item -Path \"$classes\\.faying\" -Value 'Faying.Project' -Force | Out-Null",
            "New-Item -Path \"$classes\\Faying.Project\" -Value 'Faying project' -Force | Out-Null",
            f'New-Item -Path "$classes\\Faying.Project\\shell\\open\\command" -Value {text(opens)} -Force | Out-Null',
            "$entry = (New-Object -ComObject WScript.Shell).CreateShortcut($link)",
            f"$entry.TargetPath = {text(words[0])}",
            f"$entry.Arguments = {text(arguments)}",
            "$entry.Description = 'Contact and friction inside jointed flexible bodies'",
            "$entry.Save()",
            "",
        ]
    )


def _quoted(word: str) -> str:
    """Return a word quoted for an Exec line: special characters behind a backslash, percent signs doubled.

    Each backslash is doubled once more, because values of keys have escapes of their own.
    """
    escaped = "".join(f"\\{c}" if c in '"`$\\' else c for c in word)
    return '"' + escaped.replace("\\", "\\\\").replace("%", "%%") + '"'


def _tell_desktop(base: Path) -> None:
    """Make the desktop read its folders again now, if it has the programs for that."""
    for words in (
        ["update-desktop-database", str(base / "applications")],
        ["update-mime-database", str(base / "mime")],
        ["xdg-mime", "default", _ENTRY.name, _MIME],
    ):
        if shutil.which(words[0]):
            subprocess.run(words, check=False, capture_output=True, timeout=60)
