"""`faying install-desktop`: what freedesktop.org's rules ask for, and nothing left after its removal."""

import configparser
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
    monkeypatch.setattr(install_desktop, "_program", lambda: str(program))
    assert main(["install-desktop"]) == 0
    text = (data / "applications" / "faying.desktop").read_text(encoding="utf-8")
    line = next(line for line in text.splitlines() if line.startswith("Exec="))
    assert r'my \\"100%%\\" \\$tools' in line and line.endswith('" %f')


@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_other_systems_are_told_what_to_click(system, data, monkeypatch, capsys):
    monkeypatch.setattr(sys, "platform", system)
    assert main(["install-desktop"]) == 0
    assert "project file" in capsys.readouterr().out
    assert not list(data.iterdir())


def test_a_folder_that_cannot_be_written_is_a_sentence(data, monkeypatch, capsys):
    (data / "applications").write_text("a file in the way", encoding="utf-8")
    assert main(["install-desktop"]) == 1
    told = capsys.readouterr().err
    assert told.startswith("error: ") and "Traceback" not in told
