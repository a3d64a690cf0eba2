"""Stability of equilibria: what stands, hangs, lies, rolls and buckles.

Kind of reference: closed forms of rigid bodies under their weight.
"""

import json

import numpy as np
import pytest

from faying.analyses import SystemModel, analyses
from faying.cli import main
from faying.errors import Cancelled
from faying.multibody.linearized import find_equilibrium
from faying.multibody.stability import leaving_part
from faying.params import build
from faying.progress import Silent
from faying.results.results import Results
from support.systems import BAR, flexible, jointed_plates_model, moved, ready, system_of

G = 9.81
UPRIGHT, DOWN = np.pi / 2, -np.pi / 2


def leaving(spec, **bodies):
    """Return the part that leaves the equilibrium near the start of a system; "" for none."""
    at = ready(spec, **bodies)
    found = find_equilibrium(at.system, at.q, at.history, Silent())
    return leaving_part(at.system, found.position, found.multipliers, found.history)


def bar_at(angle, unit=1.0, name="bar", foot=(0.0, 0.0, 0.0), mass=1.0):
    """Return a bar of mass one whose left end is at its foot, turned about z."""
    middle = np.array(foot) + 0.5 * np.array([np.cos(angle), np.sin(angle), 0.0])
    return {
        **BAR, "name": name, "mass": mass,
        "moments_of_inertia": tuple(mass * unit**2 * m for m in BAR["moments_of_inertia"]),
        "markers": [{"name": end, "position": (x * unit, 0, 0)} for end, x in (("left", -0.5), ("right", 0.5))],
        "placement": {"position": tuple(unit * middle), "rotation": (0, 0, angle)},
    }  # fmt: skip


def pendulum(angle, kind="revolute", unit=1.0, *forces):
    hinge = {"kind": kind, "name": "hinge", "first": "ground.origin", "second": "bar.left"}
    return system_of(
        parts=[bar_at(angle, unit)], constraints=[hinge], forces=forces, gravity=(0, -G * unit, 0)
    )


@pytest.mark.parametrize("unit", [1.0, 1e3])
@pytest.mark.parametrize("kind", ["revolute", "spherical"])
def test_a_pendulum_hangs_and_does_not_stand(kind, unit):
    """m g l/2 of its weight; about its own axis it may turn freely in a ball joint, which is no reason to leave."""
    assert leaving(pendulum(DOWN, kind, unit)) == ""
    assert leaving(pendulum(UPRIGHT, kind, unit)) == "bar"


@pytest.mark.parametrize("unit", [1.0, 1e3])
@pytest.mark.parametrize("factor", [0.999, 1.001])
def test_a_standing_pendulum_is_held_by_a_spring_beyond_its_buckling_load(factor, unit):
    """A torsion spring holds it from m g l/2 on, to a thousandth."""
    spring = {"kind": "torsion_spring", "name": "spring", "first": "ground.origin", "second": "bar.left",
              "stiffness": factor * G * unit**2 / 2.0, "free_angle": UPRIGHT}  # fmt: skip
    assert leaving(pendulum(UPRIGHT, "revolute", unit, spring)) == ("bar" if factor < 1.0 else "")


@pytest.mark.parametrize("factor", [0.99, 1.01])
def test_a_compressed_strut_buckles_at_its_closed_form(factor):
    """A bar between a foot and a spring k across its head bears F = k l; F is a load, without weight."""
    load = {"kind": "point_force", "name": "load", "marker": "bar.right", "force": (0, -50.0 * factor, 0)}
    side = {"kind": "bushing", "name": "side", "first": "ground.head", "second": "bar.right",
            "stiffness": (50.0, 0.0, 0.0)}  # fmt: skip
    hinge = {"kind": "revolute", "name": "hinge", "first": "ground.origin", "second": "bar.left"}
    spec = system_of(
        ground=[{"name": "head", "position": (0, 1.0, 0)}], parts=[bar_at(UPRIGHT)], constraints=[hinge],
        forces=[load, side],
    )  # fmt: skip
    assert leaving(spec) == ("bar" if factor > 1.0 else "")


def test_of_two_pendulums_the_standing_one_is_told_though_the_other_is_a_million_times_heavier():
    hinges = [
        {"kind": "revolute", "name": f"{name} hinge", "first": f"ground.{name}", "second": f"{name}.left"}
        for name in ("heavy", "light")
    ]
    heavy = bar_at(DOWN, name="heavy", mass=1e6, foot=(5.0, 0.0, 0.0))
    ground = [{"name": "heavy", "position": (5.0, 0, 0)}, {"name": "light"}]
    for angle, wanted in ((UPRIGHT, "light"), (DOWN, "")):
        spec = system_of(
            ground=ground, parts=[heavy, bar_at(angle, name="light")], constraints=hinges, gravity=(0, -G, 0)
        )
        assert leaving(spec) == wanted


SIZES = np.array([1.0, 0.6, 0.4])
_FACES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def box_skin(size):
    """Return the triangles of a box about the origin, as an STL file."""
    corners = 0.5 * size * np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    corners = [" ".join(f"{value:.17g}" for value in corner) for corner in corners]
    facets = [
        "facet normal 0 0 0\nouter loop\n" + "".join(f"vertex {corners[k]}\n" for k in triangle) + "endloop\nendfacet\n"
        for a, b, c, d in _FACES
        for triangle in ((a, b, c), (a, c, d))
    ]  # fmt: skip
    return f"solid box\n{''.join(facets)}endsolid box\n"


COULOMB = {"kind": "coulomb", "sticking_stiffness": 1e4, "sliding_stiffness": 500.0}


def block(folder, rotation, height, friction=None, unit=1.0, stiffness=1e5):
    """Return a block of SIZES over a plane, its middle at a height."""
    (folder / "block.stl").write_text(box_skin(unit * SIZES))
    part = {
        "kind": "rigid", "name": "block", "mass": 2.0,
        "moments_of_inertia": tuple(unit**2 * m for m in (0.1, 0.2, 0.25)),
        "contact_surfaces": [{"kind": "surface_mesh", "name": "skin", "path": str(folder / "block.stl")}],
        "placement": {"position": (0, 0, unit * height), "rotation": tuple(rotation)},
    }  # fmt: skip
    contact = {
        "name": "hit", "master": "ground.floor", "slave": "block.skin", "reach": 0.3 * unit,
        "contact_law": {"kind": "linear_penalty", "stiffness": stiffness / unit**2},
        **({"friction_law": {**COULOMB, "friction_coefficient": friction}} if friction else {}),
    }  # fmt: skip
    floor = [{"kind": "plane", "name": "floor"}]
    return system_of(parts=[part], ground_surfaces=floor, gravity=(0, 0, -G * unit), contacts=[contact])


def on_corner():
    """Return rotation and height by which the block's corner is straight below its middle."""
    corner = -SIZES / np.linalg.norm(SIZES)
    axis = np.cross(corner, (0, 0, -1.0))
    return axis / np.linalg.norm(axis) * np.arccos(-corner[2]), np.linalg.norm(SIZES) / 2.0


@pytest.mark.parametrize("unit", [1.0, 1e3])
@pytest.mark.parametrize("stiffness", [1e5, 1e9])
@pytest.mark.parametrize("friction", [None, 0.5])
def test_a_block_lies_on_each_face_and_does_not_stand_on_edge_or_corner(tmp_path, friction, unit, stiffness):
    """However stiff the contact is; without friction it may slide and turn on its face, which is no reason to leave."""
    edge = (np.arctan2(SIZES[1], SIZES[2]), 0.0, 0.0), np.hypot(*SIZES[1:]) / 2.0
    lying = ((0.0, 0.0, 0.0), 0.2), ((np.pi / 2, 0.0, 0.0), 0.3), ((0.0, np.pi / 2, 0.0), 0.5)
    for rotation, height in lying:
        assert leaving(block(tmp_path, rotation, height, friction, unit, stiffness)) == ""
    for rotation, height in (edge, on_corner()):
        assert leaving(block(tmp_path, rotation, height, friction, unit, stiffness)) == "block"


@pytest.mark.parametrize("kind", ["planar", "cylindrical", "revolute", "spherical", "translational", "fixed"])
def test_what_may_move_at_no_cost_does_not_leave(kind):
    """A body held at its centre of mass: it slides across its weight, and turns anyhow."""
    rotation = (np.pi / 2, 0.0, 0.0) if kind == "planar" else (0.0, 0.3, 0.0)
    at = [{"name": "at", "rotation": rotation}]
    part = {**BAR, "name": "bar", "markers": at, "placement": {"rotation": (0.0, 0.0, 0.0)}}
    joint = {"kind": kind, "name": "joint", "first": "ground.at", "second": "bar.at"}
    assert leaving(system_of(ground=at, parts=[part], constraints=[joint], gravity=(0, -G, 0))) == ""


def test_a_flexible_part_does_not_leave_where_its_joint_bears_and_stands_on_its_head_no_more_than_a_rigid_one():
    """Two plates that contact holds together, hung and stood on a ball joint at one end; free modes are no reason."""
    plates = jointed_plates_model()
    for pull, wanted in ((1.0, ""), (-1.0, "plates")):
        spec = system_of(
            ground=[{"name": "wall", "position": (0, 5, 0)}],
            parts=[{"kind": "flexible", "name": "plates", "body": "plates"}],
            constraints=[
                {"kind": "universal", "name": "pivot", "first": "ground.wall", "second": "plates.HOLD"}
            ],
            forces=[{"kind": "point_force", "name": "pull", "marker": "plates.TIP", "force": (pull, 0, 0)}],
        )
        assert leaving(spec, plates=flexible(plates)) == wanted


# --- told


def warnings(results):
    return [warning.sentence for warning in results.warnings]


UNSTABLE = "The equilibrium at t = 0 is unstable: part 'bar' leaves it at the slightest disturbance."


def test_a_motion_from_an_unstable_equilibrium_is_doubtful(tmp_path):
    for angle, told in ((UPRIGHT, [UNSTABLE]), (DOWN, [])):
        folder = tmp_path / str(angle)
        folder.mkdir()
        results = moved(pendulum(angle), folder, 1e-3, frames=1, from_equilibrium=True)
        assert warnings(results) == told
        assert ("unstable_equilibria" in results.report) == bool(told)
    # A start that is no equilibrium by decision is not judged.
    assert warnings(moved(pendulum(UPRIGHT), tmp_path, 1e-3, frames=1)) == []


def test_a_top_that_stands_by_its_spin_is_not_doubtful(tmp_path):
    top = bar_at(UPRIGHT)
    top["placement"] |= {"spin": (200.0, 0.0, 0.0)}
    spec = pendulum(UPRIGHT, "spherical").with_(parts=build_parts(top))
    assert warnings(moved(spec, tmp_path, 1e-3, frames=1, from_equilibrium=True)) == []


def build_parts(*parts):
    return system_of(parts=parts).parts


def followed(spec, path, progress=None, **words):
    analysis = build(analyses["quasi_static"], {"name": "slow", "system": spec.name, **words})
    analysis.run(SystemModel(spec, {}), path, progress or Silent())
    return Results(path)


def test_a_column_is_told_from_the_load_on_at_which_it_buckles(tmp_path):
    """A torsion spring c holds a column of length l against a load that grows to 1.25 c / l: the last frame of five."""
    hinge = {"first": "ground.origin", "second": "bar.left"}
    spec = system_of(
        parts=[bar_at(UPRIGHT)], constraints=[{"kind": "revolute", "name": "hinge", **hinge}],
        forces=[
            {"kind": "torsion_spring", "name": "spring", **hinge, "stiffness": 8.0, "free_angle": UPRIGHT},
            {"kind": "point_force", "name": "load", "marker": "bar.right", "force": (0, -10.0, 0),
             "time_history": {"kind": "table", "points": ((0.0, 0.0), (1.0, 1.0))}},
        ],
    )  # fmt: skip
    results = followed(spec, tmp_path / "it.h5", duration=1.0, frames=5)
    np.testing.assert_allclose(results.curve("hinge angle"), UPRIGHT, atol=1e-9)
    assert results.report["unstable_equilibria"] == {"count": 1, "part": "bar", "time": 1.0}
    assert warnings(results) == [UNSTABLE.replace("t = 0", "t = 1")]
    further = followed(spec, tmp_path / "further.h5", duration=1.0, frames=20)
    assert warnings(further) == [UNSTABLE.replace("t = 0", "t = 0.85") + " 3 later ones are unstable, too."]
    # A run that is interrupted among the unstable ones and goes on has seen as many.
    path = tmp_path / "stopped.h5"
    with pytest.raises(Cancelled):
        followed(spec, path, Stopped(), duration=1.0, frames=20)
    path.rename(tmp_path / "stopped.h5.earlier")
    assert warnings(followed(spec, path, duration=1.0, frames=20)) == warnings(further)


class Stopped(Silent):
    def report(self, fraction, text="", **values):
        if text.startswith("frame 19"):
            raise Cancelled


@pytest.mark.parametrize("height", [0.0, 0.15])
def test_a_block_that_is_dragged_until_it_slips_does_not_leave(tmp_path, height):
    """Closed form: a spring bears the load but for μ m g. What slips has no stiffness, and K is not symmetric there."""
    lying = block(tmp_path, (0, 0, 0), 0.2).model_dump(mode="json")
    lying["contacts"][0]["friction_law"] = {
        "kind": "lugre",
        "friction_coefficient": 0.2,
        "bristle_stiffness": 1e4,
    }
    lying["parts"][0]["markers"] = [{"name": "hook", "position": (0, 0, height)}]
    forces = [
        {"kind": "point_force", "name": "load", "marker": "block.hook", "force": (12.0, 0, 0),
         "time_history": {"kind": "table", "points": ((0.0, 0.0), (1.0, 1.0))}},
        {"kind": "bushing", "name": "spring", "first": "ground.post", "second": "block.hook",
         "stiffness": (200.0, 0.0, 0.0)},
    ]  # fmt: skip
    ground = [{"name": "post", "position": (0, 0, 0.2 + height)}]
    spec = system_of(**lying | {"ground": ground, "forces": forces})
    results = followed(spec, tmp_path / "it.h5", duration=1.0, frames=12)
    moved_by = results.part("block").placement(12)[0][0]
    assert moved_by == pytest.approx((12.0 - 0.2 * 2.0 * G) / 200.0, rel=2e-3)
    assert warnings(results) == []


def test_a_response_about_an_unstable_equilibrium_is_doubtful(tmp_path):
    for angle, told in ((UPRIGHT, [UNSTABLE]), (DOWN, [])):
        words = {"name": "shaken", "system": "system", "lowest_frequency": 0.1, "highest_frequency": 0.3, "points": 3,
                 "loads": [{"marker": "bar.right", "force": (1.0, 0.0, 0.0)}]}  # fmt: skip
        path = tmp_path / f"{angle}.h5"
        build(analyses["system_frequency_response"], words).run(
            SystemModel(pendulum(angle), {}), path, Silent()
        )
        assert warnings(Results(path)) == told


STUDY = """
name = "Pendulum"
units = "m-kg-s"

[[systems]]
name = "pendulum"
gravity = [0.0, -9.81, 0.0]
constraints = [{ kind = "revolute", name = "axle", first = "ground.origin", second = "bar.left" }]
[[systems.parts]]
kind = "rigid"
name = "bar"
mass = 1.0
moments_of_inertia = [0.001, 0.083, 0.083]
markers = [{ name = "left", position = [-0.5, 0.0, 0.0] }]
placement = { position = [0.0, 0.5, 0.0], rotation = [0.0, 0.0, "90 deg"] }

[[analyses]]
kind = "motion"
name = "stand"
system = "pendulum"
duration = 0.01
frames = 2
from_equilibrium = true
"""


def test_command_line_and_report_tell_that_an_equilibrium_is_unstable(tmp_path, capsys):
    (tmp_path / "pendulum.toml").write_text(STUDY)
    project = tmp_path / "pendulum.faying"
    assert main(["run", str(tmp_path / "pendulum.toml")]) == 1
    said = capsys.readouterr().err
    assert (
        f"The result of 'stand' is doubtful. {UNSTABLE}" in said
        and said.splitlines()[-1] == "doubtful: stand"
    )
    assert main(["info", str(project), "--json"]) == 0
    (analysis,) = json.loads(capsys.readouterr().out)["analyses"]
    assert analysis["status"] == "doubtful" and UNSTABLE in analysis["warnings"][0]
    assert main(["report", str(project), "--to", str(tmp_path / "it.html")]) == 0
    page = (tmp_path / "it.html").read_text(encoding="utf-8")
    assert "The equilibrium at t = 0 is unstable" in page and "Unstable equilibria" not in page
