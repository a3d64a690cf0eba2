"""The notebook of the manual, executed as Jupyter does it: its numbers are those of the page, and it draws pictures."""

import re
import shutil

import pytest

from faying.cli.manual_page import manual_folder


@pytest.mark.slow
def test_the_notebook_runs_from_the_mesh_to_pressures_and_pictures(tmp_path, monkeypatch):
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    files = manual_folder() / "files"
    for name in ("two_plates.msh", "two_plates.ipynb"):
        shutil.copy(files / name, tmp_path)
    monkeypatch.setenv("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    notebook = nbformat.read(tmp_path / "two_plates.ipynb", as_version=4)
    nbformat.validate(notebook)
    assert not any(cell.get("outputs") for cell in notebook.cells), "it is kept without results"
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    printed = "".join(output["text"] for output in outputs if output["output_type"] == "stream")
    page = (manual_folder() / "first-model.md").read_text(encoding="utf-8")
    for number, unit in re.findall(r"\*\*([\d.]+) (MPa|µm)\*\*", page):
        (measured,) = re.findall(rf"([\d.]+) {unit}", printed)
        assert float(measured) == pytest.approx(float(number), rel=0.03)
    pictures = [output for output in outputs if "image/png" in output.get("data", {})]
    assert len(pictures) == 2
