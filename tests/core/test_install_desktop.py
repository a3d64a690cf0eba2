"""`faying install-desktop`: what freedesktop.org's rules ask for, and nothing left after its removal."""

import configparser
import os
import plistlib
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import pytest

from faying.cli import main
from faying.cli.commands import install_desktop


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(install_desktop.shutil, "which", lambda _: None)
    return tmp_path


def test_menu_file_type_and_icon_are_there_and_go_again(data, capsys):
    assert main(["install-desktop"]) == 0
    entry = configparser.RawConfigParser()
    entry.optionxform = str
    entry.read(data / "applications" / "faying.desktop", encoding="utf-8")
    words = entry["Desktop Entry"]
    assert words["Exec"].endswith(" %f") and words["MimeType"] == "application/x-faying-project;"
    kind = ElementTree.parse(data / "mime" / "packages" / "faying.xml").getroot()
    space = {"m": "http://www.freedesktop.org/standards/shared-mime-info"}
    assert kind.find("m:mime-type/m:glob", space).get("pattern") == "*.faying"
    assert "<svg" in (data / "icons/hicolor/scalable/apps/faying.svg").read_text(encoding="utf-8")
    assert capsys.readouterr().out.count("written: ") == 3
    assert main(["install-desktop", "--remove"]) == 0
    assert not [path for path in data.rglob("*") if path.is_file()]
    assert main(["install-desktop", "--remove"]) == 0


def test_a_program_in_a_strange_folder_is_quoted(data, monkeypatch):
    program = data / 'my "100%" $tools' / "faying-gui"
    program.parent.mkdir()
    program.touch()
    monkeypatch.setattr(install_desktop, "_program", lambda: [str(program)])
    assert main(["install-desktop"]) == 0
    text = (data / "applications" / "faying.desktop").read_text(encoding="utf-8")
    line = next(line for line in text.splitlines() if line.startswith("Exec="))
    assert r'my \\"100%%\\" \\$tools' in line and line.endswith('" %f')


def test_python_itself_in_a_folder_with_a_blank_is_one_word(data, tmp_path, monkeypatch):
    """Where the program is not beside it, as in an environment that was made by hand."""
    python = tmp_path / "my tools" / "python"
    monkeypatch.setattr(sys, "executable", str(python))
    assert main(["install-desktop"]) == 0
    text = (data / "applications" / "faying.desktop").read_text(encoding="utf-8")
    assert f'\nExec="{python}" "-m" "faying" "gui" %f\n' in text


@pytest.fixture
def mac(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(install_desktop.Path, "home", lambda: tmp_path)
    return tmp_path / "Applications"


def test_macos_gets_an_application_that_has_project_files(mac, monkeypatch, tmp_path, capsys):
    program = tmp_path / "it's here" / "faying-gui"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nprintf '%s|' \"$@\"\n")
    program.chmod(0o755)
    monkeypatch.setattr(install_desktop, "_program", lambda: [str(program)])
    assert main(["install-desktop"]) == 0
    assert "Change All" in capsys.readouterr().out
    contents = mac / "Faying.app" / "Contents"
    words = plistlib.loads((contents / "Info.plist").read_bytes())
    (kind,), (own,) = words["UTExportedTypeDeclarations"], words["CFBundleDocumentTypes"]
    assert kind["UTTypeTagSpecification"] == {"public.filename-extension": ["faying"]}
    assert own["LSItemContentTypes"] == [kind["UTTypeIdentifier"]]
    starts = contents / "MacOS" / words["CFBundleExecutable"]
    if os.name == "posix":
        assert subprocess.run(
            [starts, "my project.faying"], capture_output=True, text=True, check=True
        ).stdout == ("my project.faying|")
    assert main(["install-desktop", "--remove"]) == 0
    assert not list(mac.iterdir())


@pytest.mark.parametrize(
    "program", [["C:\\it's\\faying-gui.exe"], ["C:\\My Python\\python.exe", "-m", "faying", "gui"]]
)
def test_windows_gets_a_script_with_keys_of_the_user_alone(program, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    monkeypatch.setattr(install_desktop, "_program", lambda: program)
    assert main(["install-desktop"]) == 0
    script = tmp_path / "Faying" / "faying-desktop.ps1"
    assert f"-File {script}" in capsys.readouterr().out
    text = script.read_bytes().decode("utf-8-sig")
    assert "HKLM" not in text and text.count("HKCU:") == 1 and r"$classes\.faying" in text
    assert text.count("{") == text.count("}") and text.count("'") % 2 == 0
    more = "".join(f' "{word}"' for word in program[1:])
    quoted = program[0].replace("'", "''")
    assert f"""-Value '"{quoted}"{more} "%1"'""" in text and f"$entry.TargetPath = '{quoted}'" in text
    assert main(["install-desktop", "--remove"]) == 0
    assert script.exists() and "-Remove" in capsys.readouterr().out  # it takes itself away


def test_a_folder_that_cannot_be_written_is_a_sentence(data, monkeypatch, capsys):
    (data / "applications").write_text("a file in the way", encoding="utf-8")
    assert main(["install-desktop"]) == 1
    told = capsys.readouterr().err
    assert told.startswith("error: ") and "Traceback" not in told
