"""What is written of a computed project from the command line, opened again by other programs."""

import base64
import csv
import re
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser

import imageio.v3 as imageio
import numpy as np
import pytest

from faying import __version__
from faying.cli import main, system
from support.computed_plates import computed_plates


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    return computed_plates(tmp_path_factory.mktemp("report"))


class Page(HTMLParser):
    """Collects headings, cells and pictures, and notes tags that are not closed in order."""

    def __init__(self):
        super().__init__()
        self.open, self.texts, self.images, self.wrong = [], {}, [], []

    def handle_starttag(self, tag, attributes):
        if tag == "img":
            self.images.append(dict(attributes))
        elif tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)

    def handle_data(self, text):
        if self.open and text.strip():
            self.texts.setdefault(self.open[-1], []).append(text)


def test_the_report_is_one_file_with_all_of_the_project(project, tmp_path):
    drawn = bool(system.graphics_renderer()[0])
    target = tmp_path / "report.html"
    assert main(["report", str(project), "--to", str(target)]) == 0
    page = Page()
    page.feed(target.read_text(encoding="utf-8"))
    assert not page.wrong and not page.open
    headings = page.texts["h1"] + page.texts["h2"]
    assert headings == [
        "Plates", "Body plates", "Analysis press", "Analysis twist", "Analysis shake", "Findings", "Versions",
    ]  # fmt: skip
    cells = page.texts["td"]
    for wanted in ("302", "108", "55", "lap", "Iterations", "STEEL"):
        assert any(wanted in cell for cell in cells), wanted
    assert any("Coulomb" in cell and "friction coefficient 0.2" in cell for cell in cells)
    made_with = [text for text in page.texts["p"] if text.startswith("Made with")]
    assert len(made_with) == 3 and all(f"Faying {__version__}, " in text for text in made_with)
    assert all("NumPy" in text and "sparse solver" in text and "platform" in text for text in made_with)
    # Every picture is in the file, and another program reads it.
    kinds = [image["src"].split(";")[0] for image in page.images]
    assert kinds.count("data:image/svg+xml") == 3
    assert kinds.count("data:image/png") == (3 if drawn else 0)
    for image in page.images:
        coded = base64.b64decode(image["src"].split(",", 1)[1])
        if "svg" in image["src"][:20]:
            assert ElementTree.fromstring(coded).tag.endswith("svg")
        else:
            assert imageio.imread(coded, extension=".png").std() > 10
    assert not re.search(r'(src|href)="(?!data:)', target.read_text(encoding="utf-8"))


def test_curves_are_exported_as_table_drawing_and_page(project, tmp_path):
    curves = ["export", str(project), "--analysis", "shake", "--curves", "tip uz, lap normal force"]
    for kind in ("csv", "svg", "pdf", "png"):
        assert main([*curves, "--to", str(tmp_path / f"x.{kind}"), "--size", "600x400"]) == 0
    with (tmp_path / "x.csv").open(encoding="utf-8") as stream:
        heads, *rows = csv.reader(stream)
    assert heads == ["Time [s]", "tip uz: Displacement [mm]", "lap normal force: Force [N]"]
    assert len(rows) == 41
    assert imageio.imread(tmp_path / "x.png").shape[:2] == (400, 600)
    page = (tmp_path / "x.pdf").read_bytes()
    assert page.startswith(b"%PDF-") and page.rstrip().endswith(b"%%EOF")
    box = re.search(rb"/MediaBox \[\s*0 0 ([\d.]+) ([\d.]+)\s*\]", page)
    assert float(box[1]) / float(box[2]) == pytest.approx(1.5, rel=0.01)
    loop = [
        *curves[:4],
        "--curves",
        "lap normal force",
        "--over",
        "tip uz",
        "--to",
        str(tmp_path / "loop.csv"),
    ]
    assert main(loop) == 0
    assert (tmp_path / "loop.csv").read_text(encoding="utf-8").startswith("tip uz [mm],")
    spectrum = [*curves[:4], "--curves", "tip uz", "--as", "spectrum", "--to", str(tmp_path / "s.csv")]
    assert main(spectrum) == 0
    frequency, amplitude = np.loadtxt(tmp_path / "s.csv", delimiter=",", skiprows=1).T
    assert frequency[1] == pytest.approx(1 / 0.0041, rel=0.01) and (amplitude >= 0).all()


def test_a_wrong_curve_lists_those_there_are(project, tmp_path, capsys):
    words = ["export", str(project), "--curves", "nose", "--to", str(tmp_path / "x.csv")]
    assert main(words) == 1
    said = capsys.readouterr().err
    assert "no curve 'nose'" in said and "lap closed share" in said


def test_the_difference_of_two_analyses_is_a_field(project, tmp_path):
    tables = []
    for more in ([], ["--minus", "twist"]):
        target = tmp_path / f"x{len(more)}.csv"
        words = ["export", str(project), "--analysis", "press", "--field", "pressure", "--to", str(target)]
        assert main([*words, *more]) == 0
        tables.append(np.genfromtxt(target, delimiter=",", skip_header=1)[:, 6:])
    other = tmp_path / "twist.csv"
    main(["export", str(project), "--analysis", "twist", "--field", "pressure", "--to", str(other)])
    twist = np.genfromtxt(other, delimiter=",", skip_header=1)[:, 6:]
    np.testing.assert_allclose(tables[1], tables[0] - twist, atol=1e-6 * np.abs(twist).max())


def test_a_series_of_pictures_without_background(project, tmp_path):
    if not system.graphics_renderer()[0]:
        pytest.skip("no OpenGL here")
    words = ["export", str(project), "--analysis", "press", "--field", "von_mises", "--size", "320x240"]
    assert main([*words, "--series", "--transparent", "--to", str(tmp_path / "f.png")]) == 0
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["f_0000.png", "f_0001.png", "f_0002.png"]
    pictures = [imageio.imread(tmp_path / name) for name in names]
    assert all(p.shape == (240, 320, 4) for p in pictures)
    assert (pictures[0][..., 3] == 0).mean() > 0.3  # nothing behind the body
    assert np.abs(pictures[0].astype(int) - pictures[2]).max() > 40
