"""A demo that is run again: it is not refused, and nothing that was decided in its project meanwhile is lost."""

from faying.cli import main
from faying.examples import examples
from faying.project.file import open_project
from faying.project.stages import PIPELINE
from faying.project.workspace import Workspace

NAME = "double-pendulum"


def test_a_demo_again_replaces_its_own_files_and_nothing_decided_since(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("FAYING_HOME", str(tmp_path / "home"))
    for shown in ("picture", "film"):  # whose drawing takes longest, and which are replaced as the summary is
        monkeypatch.setattr(examples[NAME], shown, None)
    folder = tmp_path / "out"
    file, beside = folder / f"{NAME}.faying", folder / f"{NAME}-2.faying"

    def run():
        code = main(["demo", NAME, "--quick", "--no-window", "--out", str(folder)])
        return code, capsys.readouterr().err

    assert run()[0] == 0
    again, told = run()
    assert again == 0 and "stays as it is" not in told and not beside.exists()
    window = Workspace.new_session()
    project, _ = window.open(file)
    window.save(project.with_(note="a week's work"), "the view", file, PIPELINE)
    window.close()
    decided = file.read_bytes()
    third, told = run()
    assert third == 0 and f"{file} holds other decisions and stays as it is" in told
    assert file.read_bytes() == decided and open_project(file).project.note == "a week's work"
    assert open_project(beside).project.note != "a week's work"
