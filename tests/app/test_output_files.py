"""The window asks before it replaces what is there, and never writes over what the project reads from."""

from types import SimpleNamespace

import pytest
from PySide6.QtWidgets import QFileDialog, QMessageBox

from faying.errors import Cancelled, ModelError
from faying.project.file import open_project
from faying.project.outputs import check_output
from faying_app.output_file import writing
from faying_app.tasks import saving
from support.windows import plates_in, trigger

pytestmark = pytest.mark.window

MINE = "# what I wrote in a week\n"


@pytest.fixture
def asked(monkeypatch):
    """Let every question be answered by the button `asked.answer`, and keep its words."""

    class Asked(list):
        answer = QMessageBox.StandardButton.Cancel

    told = Asked()

    def answer(box):
        told.append(f"{box.text()} {box.informativeText()}")
        return told.answer

    monkeypatch.setattr(QMessageBox, "exec", answer)
    return told


def choose(monkeypatch, path):
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(path), ""))


EXPORTS = {
    "export_study": "a.toml", "export_script": "a.py", "export_model": "a.inp", "export_report": "a.html",
    "save_project_as": "a.faying",  # last: the project is another one then
}  # fmt: skip


def test_what_is_there_is_replaced_only_when_the_user_says_so(qtbot, window, tmp_path, monkeypatch, asked):
    plates_in(qtbot, window, tmp_path)
    monkeypatch.setattr(
        "faying_app.shell.report_dialog.ReportDialog.exec", lambda box: box.DialogCode.Accepted
    )
    monkeypatch.setattr(
        "faying_app.shell.export_dialog.Report.write", lambda *words: words[1].write_text("page")
    )
    for kind, name in EXPORTS.items():
        asked.clear()
        asked.answer = QMessageBox.StandardButton.Cancel
        target = tmp_path / name
        target.write_text(MINE)
        choose(monkeypatch, target.with_suffix(""))  # the ending is put behind it
        trigger(qtbot, window, kind)
        assert target.read_text() == MINE and len(asked) == 1 and "is there already" in asked[0], kind
        assert ("cannot be read here" if name.endswith(".faying") else "did not write it") in asked[0], kind
        asked.answer = QMessageBox.StandardButton.Yes
        trigger(qtbot, window, kind)
        assert target.read_bytes() != MINE.encode() and len(asked) == 2, kind
        assert not window.problems, kind


def test_own_files_are_asked_about_too_and_so_are_other_projects(qtbot, window, tmp_path, monkeypatch, asked):
    plates_in(qtbot, window, tmp_path)
    choose(monkeypatch, tmp_path / "a.toml")
    trigger(qtbot, window, "export_study")
    assert not asked
    trigger(qtbot, window, "export_study")
    assert "Faying wrote it, and it has not been changed since" in asked[0]
    for name in ("first", "second"):
        choose(monkeypatch, tmp_path / name)
        assert saving.save_as(window.context)
    choose(monkeypatch, tmp_path / "first.faying")
    assert not saving.save_as(window.context)
    assert "It holds the project" in asked[-1] and len(asked) == 2
    choose(monkeypatch, tmp_path / "second.faying")
    assert saving.save_as(window.context) and len(asked) == 2  # its own file
    assert open_project(tmp_path / "second.faying").project == window.context.project


def test_inputs_stay(qtbot, window, tmp_path, monkeypatch, asked):
    plates_in(qtbot, window, tmp_path)
    deck = tmp_path / "plates.inp"
    before = deck.read_bytes()
    asked.answer = QMessageBox.StandardButton.Yes
    choose(monkeypatch, deck)
    trigger(qtbot, window, "export_model")
    assert deck.read_bytes() == before and "reads from" in window.problems[-1].text()
    choose(monkeypatch, tmp_path / "a.docx")
    trigger(qtbot, window, "export_study")
    assert not (tmp_path / "a.docx").exists() and "Known are: .toml" in window.problems[-1].informativeText()
    choose(monkeypatch, tmp_path / "nowhere" / "a.toml")
    trigger(qtbot, window, "export_study")
    assert "does not exist" in window.problems[-1].text()
    assert not asked


@pytest.mark.parametrize(
    ("raised", "told"),
    [
        (None, "said: Wrote a.csv. It has no rows."),
        (
            OSError(28, "No space left on device"),
            "shown: {path} could not be written (No space left on device).",
        ),
        (
            OSError("a file that says no number"),
            "shown: {path} could not be written (a file that says no number).",
        ),
        (ModelError("It has no joint."), "shown: It has no joint."),
        (Cancelled(), "said: a.csv was not written."),
    ],
)
def test_what_became_of_a_file_is_told(tmp_path, raised, told):
    """And only what was written is replaced without a word the next time."""
    words, path = [], tmp_path / "a.csv"
    context = SimpleNamespace(
        say=lambda text: words.append(f"said: {text}"),
        show_error=lambda error: words.append(f"shown: {error.message}"),
    )
    with writing(context, path) as writes:
        path.write_text("a,b")
        if raised is not None:
            raise raised
        writes.more = "It has no rows."
    assert words == [told.format(path=path)] and writes.done is (raised is None)
    if raised is None:
        check_output(path, (".csv",), ())  # it is known as ours


def test_a_mistake_of_the_program_is_not_taken_for_one_of_the_disk(tmp_path):
    with pytest.raises(ZeroDivisionError), writing(SimpleNamespace(), tmp_path / "a.csv", print):
        raise ZeroDivisionError
