"""Films and pictures with more than one view: curves with a running mark, title and logo, length, turning camera."""

from dataclasses import replace

import imageio.v3 as imageio
import numpy as np
import pytest

from faying.errors import FayingError, ModelError
from faying.exporters import ExportContent, ExportSettings, exporter_for
from faying.plot import Axis, Plot, Series
from faying.progress import Silent
from faying_app.scene.film_timing import shots_of
from faying_app.scene.page import opened_page
from faying_app.scene.page_layout import layout_of

pytestmark = [pytest.mark.window, pytest.mark.usefixtures("qapp")]


@pytest.fixture
def content(plates):
    surfaces = {"joint": (plates.master, plates.slave)}
    return ExportContent("run", "mm-t-s", plates.model, plates.run, surfaces, {"joint": plates.pairs})


@pytest.fixture
def curves(plates):
    time = np.asarray(plates.run.frames.values)
    return Plot(
        "run", Axis("Time", "s"), Axis("Force", "N"),
        (Series("force", time, np.sin(20.0 * time), 0), Series("half", time, np.cos(20.0 * time), 1)),
    )  # fmt: skip


def settings(**words):
    return ExportSettings("pressure", (0, 6, 12), size=(480, 360), **words)


def test_a_film_has_its_length_and_shows_moments_evenly(content):
    shots = shots_of(content, ExportSettings("gap", tuple(range(24)), seconds=3.0, frames_per_second=20))
    assert len(shots) == 60
    times = np.asarray(content.context.frames.values)
    shown = times[[shot.frame for shot in shots]]
    wanted = np.linspace(times[0], times[-1], 60)
    assert (shown <= wanted + 1e-12).all()
    assert np.abs(shown - wanted).max() <= np.diff(times).max()
    assert (shots[0].frame, shots[-1].frame) == (0, 23)


def test_a_film_goes_back_and_is_repeated(content):
    there = ExportSettings("gap", (3, 4, 5, 6))
    back = shots_of(content, replace(there, play="swing"))
    assert [shot.frame for shot in back] == [3, 4, 5, 6, 5, 4]
    assert [shot.frame for shot in shots_of(content, replace(there, repeat=2))] == [3, 4, 5, 6] * 2
    # Both ways together have the length that was asked for, and the last frame is half way.
    for count in (24, 25, 2, 1):
        long = shots_of(content, replace(there, play="swing", seconds=0.1 * count, frames_per_second=10))
        assert len(long) == count and long[0].frame == 3
        assert count < 4 or long[count // 2].frame in (5, 6)
        assert count < 4 or [s.frame for s in long[1:]] == [s.frame for s in long[:0:-1]]
    turned = shots_of(content, replace(there, turn=360.0))
    assert [shot.turned for shot in turned] == [0.0, 90.0, 180.0, 270.0]


def test_a_mode_swings_whole_periods_in_its_length(plates):
    modes = ExportContent("modes", "mm-t-s", plates.model, plates.modes, {}, {})
    shots = shots_of(modes, ExportSettings("displacement", (1,), seconds=5.0, frames_per_second=24))
    assert len(shots) == 120
    # It goes back and forth by itself.
    back = ExportSettings("displacement", (1,), seconds=5.0, frames_per_second=24, play="swing")
    assert shots_of(modes, back) == shots
    phases = np.array([shot.phase for shot in shots])
    assert phases[0] == pytest.approx(-np.pi / 2)
    assert phases[-1] + np.diff(phases)[0] - phases[0] == pytest.approx(10.0 * np.pi)  # five swings


@pytest.mark.parametrize("count", [1, 2, 3, 4, 6])
def test_areas_fill_the_picture_and_do_not_overlap(count):
    found = layout_of((1280, 720), count, 1.0, head=True, strip=True)
    covered = np.zeros((720, 1280), int)
    for area in (*found.views, found.head, found.strip):
        covered[area.top : area.top + area.height, area.left : area.left + area.width] += 1
    assert covered.max() == 1
    assert (covered == 0).mean() < (0.0 if count in (1, 2, 4, 6) else 0.25) + 0.01
    assert len({area.size for area in found.views}) == 1


def test_the_mark_runs_along_the_curves(content, curves):
    shown = replace(content, curves=curves)
    with opened_page(settings(), shown) as page:
        strip = page.layout.strip
        assert strip is not None
        pictures = {frame: page.take(shots_of(shown, settings())[i]) for i, frame in enumerate((0, 6, 12))}
        below = {frame: p[strip.top :].astype(int) for frame, p in pictures.items()}
        places = page._strip._places[0]  # where the values are drawn
        for frame, other in ((6, 12), (12, 0)):
            changed = np.flatnonzero(np.abs(below[frame] - below[other]).sum(axis=(0, 2)) > 300)
            at = sorted(page._strip._scale * places[k][0] for k in (frame, other))
            # What differs are the two marks, and nothing between or beside them.
            assert changed.min() == pytest.approx(at[0], abs=8)
            assert changed.max() == pytest.approx(at[1], abs=8)
            assert not ((changed > at[0] + 8) & (changed < at[1] - 8)).any()
        # A mark lies on its drawn curve: the curve's colour is there in a picture whose mark is elsewhere, too.
        x, y = (round(page._strip._scale * value) for value in places[6])
        near = below[0][y - 3 : y + 4, x - 3 : x + 4]
        assert (np.ptp(near, axis=-1) > 60).any()


def test_a_part_of_the_frames_has_its_part_of_the_curves(content, curves, plates):
    time = np.asarray(plates.run.frames.values)
    with opened_page(
        replace(settings(), frames=tuple(range(6, 13))), replace(content, curves=curves)
    ) as page:
        strip, (left, right) = page.layout.strip, page._strip._places[0][[6, 12], 0]
        assert strip is not None
        assert left < 0.2 * strip.width and right > 0.75 * strip.width
        (low, high), _ = page._strip._view.widget.plotItem.vb.viewRange()
        assert (low, high) == pytest.approx((time[6], time[12]))


def test_views_beside_each_other_share_limits_and_name_what_they_show(content, plates):
    other = replace(content, title="other run")
    shown = replace(content, beside=(other,))
    wish = replace(settings(), size=(900, 400), frames=(6,))
    with opened_page(wish, shown, limits=(0.0, 100.0)) as page:
        page.take(shots_of(shown, wish)[0])
        scenes = [camera.scene for camera in page._cameras]
        assert [scene.content.title for scene in scenes] == ["run", "other run"]
        assert scenes[0].camera == scenes[1].camera
        assert [scene.is_wanted("legend") for scene in scenes] == [False, True]
        left, right = page.layout.views
        assert left.size == right.size == (450, 400)


def test_several_views_look_from_where_they_say(content):
    wish = replace(settings(), view="iso, +z", frames=(6,))
    with opened_page(wish, content) as page:
        picture = page.take(shots_of(content, wish)[0])
        assert [tuple(np.round(v.pose.view_up)) for v in page._views][1] == (0.0, 1.0, 0.0)
        halves = [
            picture[a.top : a.top + a.height, a.left : a.left + a.width].astype(int)
            for a in page.layout.views
        ]
        assert all(half.std() > 10 for half in halves)
        assert np.abs(halves[0] - halves[1]).mean() > 3
    with (
        pytest.raises(ModelError, match="no view called 'top'"),
        opened_page(replace(settings(), view="iso,top"), content),
    ):
        pass


def test_the_camera_goes_round_and_the_model_stays_in_the_picture(content):
    wish = replace(settings(turn=360.0), frames=(6,) * 8)
    with opened_page(wish, content) as page:
        page._cameras[0].scene.set_visible("legend", False)
        pictures = [page.take(shot) for shot in shots_of(content, wish)]
    background = pictures[0][:, :1].astype(int)  # the gradient of the left border
    for picture in pictures:
        away = np.abs(picture.astype(int) - background).sum(axis=-1) > 60
        assert not away[40:-40, :4].any() and not away[40:-40, -4:].any() and not away[-3:, :100].any()
    assert all(np.abs(pictures[0].astype(int) - p.astype(int)).mean() > 1 for p in pictures[1:])


def test_title_and_logo_stand_at_the_top(content, tmp_path):
    logo = tmp_path / "logo.svg"
    logo.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10">'
        '<rect width="20" height="10" fill="#ff0000"/></svg>'
    )
    path = tmp_path / "a.png"
    wish = settings(title="Bolted joint", logo=str(logo))
    exporter_for(path).write(content, wish, path, Silent())
    picture = imageio.imread(path).astype(int)
    red = (picture[:, :, 0] > 200) & (picture[:, :, 1] < 60) & (picture[:, :, 2] < 60)
    rows, columns = np.nonzero(red)
    assert (
        rows.max() < 60 and columns.min() > 400 and np.ptp(columns) == pytest.approx(2 * np.ptp(rows), abs=3)
    )
    assert (picture[2:20, 8:120].sum(axis=-1) < 200).any()  # letters
    with pytest.raises(FayingError, match="cannot be read"):
        exporter_for(path).write(content, settings(logo=str(tmp_path / "no.png")), path, Silent())


@pytest.mark.parametrize("background", ["white", "black"])
def test_transparent_pictures_look_on_a_slide_as_if_drawn_on_it(content, background):
    """The picture laid over a colour is the picture drawn on that colour, smoothed edges and ghosts included."""
    wish = replace(settings(dark=background == "black"), frames=(6,))
    with opened_page(wish, content) as page:
        camera = page._cameras[0]
        camera.scene.change(display=replace(camera.scene.content.display, background=background))
        page.take(shots_of(content, wish)[0])
        camera.scene.change(body_style="ghost")
        drawn = camera.take().astype(int)
        taken = camera.take(transparent=True)
        again = camera.take().astype(int)
    opacity = taken[:, :, 3:] / 255.0
    slide = 255.0 if background == "white" else 0.0
    laid = taken[:, :, :3] * opacity + slide * (1.0 - opacity)
    # Edges are smoothed in two ways: squares of pixels have the same mean, and layers over each other the same colour.
    squares = (laid - drawn).reshape(45, 8, 60, 8, 3).mean(axis=(1, 3))
    assert np.abs(squares).mean() < 1.2 and np.quantile(np.abs(squares), 0.995) < 20.0
    assert (again == drawn).all()
    assert (opacity == 0.0).mean() > 0.5
    assert ((opacity > 0.02) & (opacity < 0.98)).mean() > 0.01


def test_letters_of_transparent_pictures_suit_the_slide(content, tmp_path):
    path = tmp_path / "a.png"
    for dark in (False, True):
        wish = replace(settings(transparent=True, dark=dark, title="On a slide"), frames=(6,))
        exporter_for(path).write(content, wish, path, Silent())
        picture = imageio.imread(path)
        assert picture.shape[2] == 4
        letters = picture[2:30, 8:150]
        assert (letters[:, :, 3] == 0).mean() > 0.5
        assert (letters[letters[:, :, 3] > 250][:, :3].mean() > 150) == dark


def test_pictures_on_paper_have_letters_of_that_size(content, tmp_path):
    heights = {}
    for dpi in (150, 300):
        path = tmp_path / f"{dpi}.png"
        size = (round(85 / 25.4 * dpi), round(60 / 25.4 * dpi))
        wish = replace(settings(style="journal", dpi=dpi, font="serif"), size=size, frames=(6,))
        exporter_for(path).write(content, wish, path, Silent())
        assert imageio.imread(path).shape[:2] == size[::-1]
        with opened_page(wish, content) as page:
            page.take(shots_of(content, wish)[0])
            heights[dpi] = page._cameras[0].scene.text_scale
            fonts = {
                t.GetTextProperty().GetFontFile()
                for v in page._cameras[0].scene.visuals.values()
                for t in v.written
            }
            assert all("Serif" in font for font in fonts)
            assert not page._views[0].has_caption
    assert heights[300] == pytest.approx(2 * heights[150])
    from PIL import Image

    assert Image.open(tmp_path / "300.png").info["dpi"] == pytest.approx((300, 300), abs=0.1)


def test_curves_on_a_page_are_those_of_the_picture(content, curves, tmp_path):
    """Axes keep their size at any resolution of the page, lines and legend theirs at any size of the picture."""
    from PySide6.QtGui import QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    wish = replace(settings(style="journal", dpi=200), size=(640, 480), frames=(6,))
    with_curves = replace(content, curves=curves)
    for ending in ("png", "svg"):
        exporter_for(tmp_path / f"a.{ending}").write(with_curves, wish, tmp_path / f"a.{ending}", Silent())
    drawn = QImage(640, 480, QImage.Format.Format_RGB888)
    drawn.fill(0xFFFFFFFF)
    painter = QPainter(drawn)
    QSvgRenderer(str(tmp_path / "a.svg")).render(painter)
    painter.end()
    rows = np.frombuffer(drawn.constBits(), np.uint8).reshape(480, drawn.bytesPerLine())[:, : 3 * 640]
    page, picture = rows.reshape(480, 640, 3).mean(axis=2), imageio.imread(tmp_path / "a.png").mean(axis=2)
    strip = slice(360, 480)
    for name, dark in (("page", page), ("picture", picture)):
        assert 0.01 < (dark[strip] < 128).mean() < 0.2, name
    # The same ink in the same places, but for the smoothing of edges.
    ink = [
        np.add.reduceat(255.0 - each[strip], np.arange(0, 640, 40), axis=1).sum(axis=0)
        for each in (page, picture)
    ]
    assert np.corrcoef(*ink)[0, 1] > 0.9
    assert ink[0].sum() == pytest.approx(ink[1].sum(), rel=0.35)
