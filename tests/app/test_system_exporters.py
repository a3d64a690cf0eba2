"""Pictures and films of systems in motion by the command line: all parts, fields of the flexible ones, sentences."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import imageio.v3 as imageio
import numpy as np
import pytest

from faying.cli import main
from faying.cli.session import opened
from faying.exporters import ExportSettings, exporter_for
from faying.exporters.systems import shown_content
from faying.multibody.system_spec import SystemSpec
from faying.params import build
from faying.progress import Silent
from faying.project.specs import Project
from faying.results.formula import find_field
from faying_app.scene.drawn_system import drawn_system
from faying_app.scene.exported_field import film_limits, shown_field
from faying_app.scene.fitting import seen_points
from faying_app.scene.picture import fill_scene, photographer
from faying_app.scene.system_picture import picture_of
from faying_app.scene.systems import AT_REST
from support.plate_deck import STUDY, write_study

pytestmark = pytest.mark.window

SYSTEMS = """
[[systems]]
name = "swing"
gravity = [0.0, 0.0, -9810.0]
parts = [
    { kind = "flexible", name = "plates", body = "plates", stiffness_damping = 1e-6 },
    { kind = "rigid_body", name = "stiff", body = "plates", placement = { position = [0.0, 40.0, 0.0] } },
    { kind = "rigid", name = "weight", mass = 1e-4, moments_of_inertia = [2e-3, 2e-3, 2e-3], placement = \
{ position = [60.0, 0.0, -30.0] } },
]
constraints = [{ kind = "spherical", name = "ball", first = "ground.origin", second = "plates.hold" }]
forces = [
    { kind = "spring_damper", name = "spring", first = "plates.tip", second = "weight.frame", stiffness = 5.0 },
    { kind = "point_force", name = "push", marker = "plates.tip", force = [0.0, 0.0, -20.0] },
]

[[systems]]
name = "stones"
gravity = [0.0, 0.0, -9810.0]
parts = [
    { kind = "rigid", name = "one", mass = 1e-4, moments_of_inertia = [2e-3, 2e-3, 2e-3] },
    { kind = "rigid", name = "two", mass = 1e-4, moments_of_inertia = [2e-3, 4e-3, 4e-3], placement = \
{ position = [30.0, 0.0, 0.0], spin = [0.0, 60.0, 0.0] } },
]

[[analyses]]
kind = "motion"
name = "fall"
system = "swing"
duration = 1e-3
frames = 5

[[analyses]]
kind = "system_frequency_response"
name = "shaken"
system = "swing"
loads = [{ marker = "plates.tip", force = [0.0, 0.0, 0.001] }]
from_equilibrium = false
lowest_frequency = 50.0
highest_frequency = 2000.0
points = 6

[[analyses]]
kind = "motion"
name = "throw"
system = "stones"
duration = 0.02
frames = 4
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A project file whose motions were run: of flexible and rigid parts, and of rigid ones alone."""
    folder = tmp_path_factory.mktemp("systems")
    assert main(["run", str(write_study(folder, STUDY + SYSTEMS))]) == 0
    return folder / "plates.faying"


def export(project, path, *words):
    """Export as from the command line, small; return the exit code."""
    return main(["export", str(project), "--size", "481x271", "--to", str(path), *words])


@pytest.mark.slow  # seconds in the window, and not what decides alone
def test_a_picture_shows_all_parts_and_the_field_of_the_flexible_one(project, tmp_path):
    path, dark, bare, side = (tmp_path / f"{name}.png" for name in ("a", "dark", "bare", "side"))
    words = ("--analysis", "fall", "--frame", "5")
    assert export(project, path, *words, "--field", "displacement") == 0
    picture = imageio.imread(path)
    assert picture.shape == (271, 481, 3)
    assert picture.std() > 15
    assert export(project, dark, *words, "--field", "displacement", "--dark") == 0
    assert imageio.imread(dark).mean() < 90 < 180 < picture.mean()
    assert (
        export(project, bare, *words) == 0
    )  # without a field there is no legend, and each part has one colour
    assert export(project, side, *words, "--field", "displacement", "--view", "+y") == 0

    def colours(pixels):
        """Return the number of colours far from grey."""
        found = pixels[..., :3].reshape(-1, 3)
        return len(np.unique(found[np.ptp(found.astype(int), axis=-1) > 80], axis=0))

    assert colours(picture) > 2 * colours(imageio.imread(bare))
    assert np.abs(picture.astype(int) - imageio.imread(side).astype(int)).mean() > 5


@pytest.mark.slow  # seconds in the window, and not what decides alone
def test_a_system_is_put_together_from_its_parts_and_limits_hold_for_the_run(project):
    with opened(project) as session:
        content = shown_content(session.project, session.store, "fall", base=session.base)
        drawn = drawn_system(content)
        n = len(content.bodies["plates"].model.nodes)
        assert [p.rows for p in drawn.picture.shown.parts] == [
            slice(0, n),
            slice(n, 2 * n),
            slice(2 * n, 2 * n),
        ]
        assert [p.box is None for p in drawn.picture.shown.parts] == [True, True, False]
        settings = ExportSettings("pressure", tuple(range(content.n_frames)))
        low, high = film_limits(drawn, settings, shown_field(drawn, settings))[0]
        plates = content.bodies["plates"]
        found = [shown_field(drawn, settings).shown(plates.context, "lap", i) for i in settings.frames]
        assert (low, high) == pytest.approx((0.0, np.max(found)))
        assert high > 0.0
        places = [drawn.context.positions(i, 1.0) for i in (0, 5)]
        falls = 0.5 * 9810.0 * 1e-3**2  # the free rigid plates under their weight
        np.testing.assert_allclose(
            (places[1] - places[0])[n:], np.tile([0.0, 0.0, -falls], (n, 1)), atol=1e-3 * falls
        )


def test_rigid_parts_have_a_centre_of_mass_whatever_they_look_like(project):
    parts = [
        {
            "kind": "rigid",
            "name": "plain",
            "mass": 1.0,
            "moments_of_inertia": (1.0, 1.0, 1.0),
            "centre_of_mass": (1.0, 2.0, 3.0),
        },
        {
            "kind": "rigid_shape",
            "name": "ball",
            "shape": {"kind": "sphere", "centre": (0.0, 4.0, 0.0), "radius": 2.0},
            "density": 1.0,
        },
    ]
    system = build(
        SystemSpec,
        {"name": "s", "parts": [{**parts[0], "name": "shaped", "looks": parts[1]["shape"]}, *parts]},
    )
    shown = picture_of(Project(), system, {}, (AT_REST,) * 3, Path()).shown
    assert [part.box is None for part in shown.parts] == [True, False, True]
    for part, centre in zip(shown.parts, ((1.0, 2.0, 3.0), (1.0, 2.0, 3.0), (0.0, 4.0, 0.0)), strict=True):
        assert part.centre == pytest.approx(np.array(centre), abs=1e-9)


def test_marks_can_be_left_out(project, tmp_path):
    pictures = []
    for words in ((), ("--no-marks",)):
        path = tmp_path / f"{len(words)}.png"
        assert export(project, path, "--analysis", "fall", "--frame", "0", *words) == 0
        pictures.append(imageio.imread(path).astype(int))
    assert (np.abs(pictures[0] - pictures[1]).max(axis=2) > 60).sum() > 100  # triads, springs, names
    assert pictures[1].std() > 10


def test_operating_shapes_of_a_system_swing_enlarged(project, tmp_path):
    """Flexible and rigid parts swing about where the system stands, the markers of a joint together."""
    with opened(project) as session:
        content = shown_content(session.project, session.store, "shaken", base=session.base)
        drawn = drawn_system(content)
        shown, plain = drawn.picture.shown, drawn.context
        numbers = {m.name: i for i, m in enumerate(shown.markers)}
        with photographer((481, 271)) as camera:
            scene = camera.scene
            fill_scene(scene, drawn)
            scale = scene.suggest_scale()
            # It is the shape at the resonance that fills a tenth of the picture.
            largest = [np.abs(plain.movement(i)).max() for i in range(content.n_frames)]
            frame = int(np.argmax(largest))
            assert 0.03 < scale * largest[frame] / scene.content.size <= 0.1

            def places(phase, factor=scale):
                scene.show_frame(frame, field=find_field("displacement"), scale=factor, phase=phase)
                poses = scene.content.frame.poses
                nodes = scene.content.frame.positions
                of_markers = shown.marker_poses(poses, nodes)[0]
                return (
                    np.concatenate([nodes, poses[2][0][None], of_markers]),
                    poses,
                    scene.content.frame.values.copy(),
                )

            rest = places(0.0, 0.0)[0]
            there, _, colours = places(0.0)
            later, _, colours_later = places(np.pi / 2)
            n = len(content.bodies["plates"].model.nodes)
            for part in (
                slice(n),
                slice(2 * n, 2 * n + 1),
            ):  # the flexible one, and the rigid weight on its spring
                assert np.linalg.norm(there[part] - rest[part]) > 5.0 * np.linalg.norm(
                    later[part] - rest[part]
                )
            small = [(places(phase, 0.02 * scale)[0] - rest)[:n] for phase in (0.0, np.pi)]
            np.testing.assert_allclose(small[1], -small[0], atol=0.02 * np.abs(small[0]).max())
            # The colours are those of its own deformation at that time.
            assert 0.0 < np.nanmax(colours_later) < 0.2 * np.nanmax(colours)
            # Both sides of the ball joint stay together to second order, however large the picture is.
            held, ground = (there[2 * n + 1 + numbers[m]] for m in ("plates.hold", "ground.origin"))
            assert np.linalg.norm(held - ground) < 0.02 * np.abs(there - rest)[:n].max()
            # True to scale it is where the results have it.
            np.testing.assert_allclose(
                places(0.0, 1.0)[1][2][0], content.results.part("weight").placement(frame)[0], rtol=1e-9
            )
    path = tmp_path / "film.mp4"
    words = ("--analysis", "shaken", "--field", "displacement", "--frame", str(frame))
    assert export(project, path, *words) == 0
    film = imageio.imread(path, index=None).astype(int)
    assert len(film) == 24 and np.abs(film[6] - film[18]).max() > 60


def test_the_camera_sees_all_frames_from_the_part_that_stands_still(project):
    with opened(project) as session, photographer((481, 271)) as camera:
        content = shown_content(session.project, session.store, "throw", base=session.base)
        scene, frames = camera.scene, range(content.n_frames)
        fill_scene(scene, drawn_system(content))
        scene.show_frame(0, field=None)
        scene.change(
            display=replace(scene.content.display, reference="one")
        )  # both fall, and this one is held in the view
        drawn = []
        for frame in frames:
            scene.show_frame(frame, field=None)
            found = scene.content
            drawn += [found.positions[found.skin.nodes], found.system.points(found.poses, found.positions)]
        drawn = np.concatenate(drawn)
        np.testing.assert_allclose(seen_points(scene.stage, frames)[-len(drawn) :], drawn)


def test_boxes_of_rigid_parts_do_not_hide_the_joints(project):
    with opened(project) as session, photographer((481, 271)) as camera:
        content = shown_content(session.project, session.store, "fall", base=session.base)
        fill_scene(camera.scene, drawn_system(content))
        boxes = camera.scene.visuals["rigid_parts"].boxes.GetProperty()
        # One looks through rigid parts at the part with a mesh, and more so at a joint that a field is told of.
        for name, opacity in (("displacement", 0.3), ("pressure", 0.13), ("displacement", 0.3)):
            camera.scene.show_frame(5, field=find_field(name))
            camera.draw()
            assert boxes.GetOpacity() == pytest.approx(opacity)
            assert boxes.GetBackfaceCulling()
        camera.scene.change(body_style="ghost")
        camera.scene.apply_theme(True)
        assert boxes.GetOpacity() == pytest.approx(0.13)


@pytest.mark.parametrize("field", ["pressure", "maximum(pressure)", "von_mises"])
def test_fields_and_formulas_of_parts_are_drawn(project, tmp_path, field):
    path = tmp_path / "a.png"
    assert export(project, path, "--analysis", "fall", "--field", field) == 0
    assert imageio.imread(path).std() > 15


@pytest.mark.parametrize(("ending", "analysis", "field"), [(".mp4", "fall", "gap"), (".gif", "throw", "")])
def test_a_film_has_all_frames_and_moves(project, tmp_path, ending, analysis, field):
    path = tmp_path / f"film{ending}"
    assert export(project, path, "--analysis", analysis, "--field", field, "--fps", "10") == 0
    film = imageio.imread(path, index=None).astype(int)
    assert film.shape == (6 if analysis == "fall" else 5, 270, 480, 3)
    assert film.std() > 10
    assert np.abs(film[0] - film[-1]).max() > 60


def test_a_series_has_a_picture_of_every_frame(project, tmp_path):
    assert export(project, tmp_path / "a.png", "--analysis", "throw", "--series") == 0
    assert sorted(p.name for p in tmp_path.iterdir()) == [f"a_000{i}.png" for i in range(5)]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--analysis", "fall", "--field", "friction_stress", "--to", "a.png"), "friction law"),
        (("--analysis", "throw", "--field", "displacement", "--to", "a.png"), "all parts of the system are rigid"),
        (("--analysis", "fall", "--field", "gap", "--joint", "moon", "--to", "a.mp4"), "no joint called 'moon'"),
        (("--analysis", "fall", "--field", "gap", "--frame", "6", "--to", "a.png"), "no frame 6"),
        (("--analysis", "fall", "--field", "gap", "--view", "up", "--to", "a.png"), "no view called 'up'"),
        (("--analysis", "fall", "--field", "gap", "--minus", "fall", "--to", "a.png"), "not compared"),
        (("--analysis", "fall", "--field", "gap", "--to", "a.csv"), "moves a whole system"),
        (("--analysis", "press", "--to", "a.png"), "A field is needed"),
    ],
)  # fmt: skip
def test_wrong_wishes_get_a_sentence(project, tmp_path, monkeypatch, capsys, words, sentence):
    monkeypatch.chdir(tmp_path)
    assert main(["export", str(project), *words]) == 1
    assert sentence in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_motion_that_has_not_run_says_so(tmp_path, capsys):
    study = write_study(tmp_path, STUDY + SYSTEMS)
    assert main(["export", str(study), "--analysis", "throw", "--to", str(tmp_path / "a.png")]) == 1
    assert "no results yet" in capsys.readouterr().err


def test_tables_say_that_they_hold_no_systems(project, tmp_path):
    with opened(project) as session:
        content = shown_content(session.project, session.store, "throw", base=session.base)
        for kind in ("csv", "vtkhdf"):
            path = tmp_path / f"a.{kind}"
            with pytest.raises(Exception, match="moves a whole system"):
                exporter_for(path).write_system(content, ExportSettings("gap", (0,)), path, Silent())


@pytest.mark.slow  # a process of its own that draws every picture of a report
def test_the_report_has_pictures_of_motions(project, tmp_path):
    path = tmp_path / "plates.html"
    # A process of its own, as for a user: after a report drawn in this one, widgets of later tests have no window.
    command = [sys.executable, "-m", "faying", "report", str(project), "--to", str(path)]
    subprocess.run(command, check=True, capture_output=True)
    page = path.read_text(encoding="utf-8")
    for analysis, caption in (("fall", "Pressure at the end of fall."), ("throw", "throw at its end.")):
        part = page.split(f"{analysis}</h3>")[1].split("<h3>")[0]
        assert f"<figcaption>{caption}</figcaption>" in part
    assert "<figcaption>fall: force borne by constraints.</figcaption>" in page
