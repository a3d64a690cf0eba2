"""A demo that is run again: it is not refused, and nothing that was decided in its project meanwhile is lost."""

import pytest

from faying.cli import main
from faying.errors import FayingError
from faying.examples import examples
from faying.project.file import open_project
from faying.project.stages import PIPELINE
from faying.project.workspace import Workspace

NAME = "double-pendulum"


@pytest.mark.slow  # seconds, and not what decides alone
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


def test_a_demo_comes_in_the_sizes_that_its_example_has(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for words, sentence in (
        (["bearing-cap", "--size", "larg"], "Its sizes are: small, medium, full"),
        ([NAME, "--size", "full"], "Leave --size out"),
        (["multi-mass-oscillator", "--size", "full"], "Leave --size out"),
    ):
        assert main(["demo", *words, "--no-window"]) == 1
        assert sentence in capsys.readouterr().err
    assert not list(tmp_path.iterdir())  # what is refused leaves nothing
    kind = examples["bearing-cap"]
    assert kind().of_size(kind.sizes[0]) == kind().build()
    with pytest.raises(FayingError, match="one size only"):
        examples[NAME]().of_size("full")
