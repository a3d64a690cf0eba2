"""Supports on surfaces: closed forms of blocks that are fixed, slide, or stand on springs.

Kind of reference: analytical.
"""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from faying.errors import FayingError, ModelError
from faying.exporters import export_content
from faying.fem.model import DeckSurface
from faying.fem.skin import facet_centroids, find_skin
from faying.fem.writers import write_model
from faying.params import build
from faying.project import edits
from faying.project.memory import Memory
from faying.project.serialization import project_from_dict
from faying.project.specs import BodySpec, Project
from faying.project.stage import Target
from faying.project.stages import PIPELINE
from faying.project.store import ArtifactStore
from faying.project.study import study_of
from faying.results.fields import fields
from faying.session import Session
from support.boxes import STEEL, box
from support.stacks import stacked_boxes

SIZE = np.array([4.0, 3.0, 6.0])
FORCE = 1200.0
E, NU = STEEL.youngs_modulus, STEEL.poisson_ratio


def face(axis: int, at: float) -> str:
    corner, opposite = -np.ones(3), SIZE + 1.0
    corner[axis], opposite[axis] = at - 0.01, at + 0.01
    return f'{{ kind = "box", corner = {corner.tolist()}, opposite = {opposite.tolist()} }}'


def study(supports: str, force: tuple[float, float, float] = (0.0, 0.0, -FORCE)) -> str:
    return f"""
[[bodies]]
name = "block"
model = {{ path = "block.inp" }}
interfaces = [{{ name = "top", node_set = "top" }}]
couplings = [{{ name = "top", behaviour = "distributing", surface = {face(2, SIZE[2])} }}]
supports = [{supports}]
reduction = {{ kind = "craig_bampton", vibration_modes = 2 }}

[[analyses]]
kind = "static"
name = "pressed"
body = "block"
support = "supports"
loads = [{{ interface = "top", force = {list(force)} }}]
"""


def support(name: str, behaviour: str, surface: str, more: str = "") -> str:
    return f'{{ name = "{name}", behaviour = "{behaviour}", surface = {surface}{more} }}'


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("supports")
    write_model(box("hex8_incompatible", (2, 2, 3), tuple(SIZE)), found / "block.inp")
    return found


def pressed(folder: Path, text: str) -> tuple[np.ndarray, np.ndarray]:
    """Return nodes of the box and their displacements under the load."""
    project, memory = study_of(text, folder / "block.toml"), Memory()
    store = ArtifactStore(folder / "store")
    PIPELINE.run(project, Target("analysis", "block", "pressed"), store, folder, memory=memory)
    content = export_content(project, store, "pressed", base=folder, pipeline=PIPELINE, memory=memory)
    moved = fields["displacement"]().evaluate(content.context, "", content.context.frames.n_frames - 1)
    solid = np.unique(content.model.blocks[0].connectivity)
    return content.model.nodes[solid], moved[solid]


PLANES = ", ".join(
    support(name, kind, face(axis, 0.0))
    for axis, (name, kind) in enumerate((("x", "symmetry"), ("y", "frictionless"), ("z", "frictionless")))
)
"""Two planes of symmetry and a table without friction: the block widens freely."""


def test_a_block_on_planes_without_friction_widens_by_poisson(folder: Path) -> None:
    nodes, moved = pressed(folder, study(PLANES))
    strain = FORCE / (SIZE[0] * SIZE[1] * E)
    exact = nodes * [NU * strain, NU * strain, -strain]
    np.testing.assert_allclose(moved, exact, atol=1e-6 * np.abs(exact).max())


def test_a_fixed_surface_does_not_move_and_hinders_widening(folder: Path) -> None:
    nodes, moved = pressed(folder, study(support("foot", "fixed", face(2, 0.0))))
    foot = nodes[:, 2] == 0.0
    assert np.abs(moved[foot]).max() < 1e-12
    free = FORCE * SIZE[2] / (SIZE[0] * SIZE[1] * E)
    assert 0.9 * free < -moved[nodes[:, 2] == SIZE[2], 2].mean() < 0.999 * free


def mean_of_foot(nodes: np.ndarray, moved: np.ndarray) -> np.ndarray:
    """Return (3,) mean over the area of the lower face; nodes at its edges and corners stand for less."""
    foot = nodes[:, 2] == 0.0
    inside = (nodes[foot, :2] > 0.0) & (nodes[foot, :2] < SIZE[:2])
    areas = np.where(inside, 1.0, 0.5).prod(axis=1)
    return np.asarray(areas @ moved[foot] / areas.sum())


def test_springs_add_their_own_compression(folder: Path) -> None:
    springs = ", normal_stiffness = 5e3, tangential_stiffness = 2e3"
    area = SIZE[0] * SIZE[1]
    nodes, moved = pressed(folder, study(support("bed", "elastic", face(2, 0.0), springs)))
    strain = FORCE / (area * E)
    sunk = FORCE / (area * 5e3)
    assert -mean_of_foot(nodes, moved)[2] == pytest.approx(sunk, rel=1e-7)
    assert -moved[nodes[:, 2] == SIZE[2], 2].mean() == pytest.approx(sunk + strain * SIZE[2], rel=1e-3)
    # Pushed across, too; it tilts on its bed besides, about its middle.
    nodes, moved = pressed(folder, study(support("bed", "elastic", face(2, 0.0), springs), (FORCE, 0.0, 0.0)))
    assert mean_of_foot(nodes, moved)[0] == pytest.approx(FORCE / (area * 2e3), rel=1e-7)


def carried(folder: Path, text: str) -> dict[str, np.ndarray]:
    """Return (6,) what each support carries at the end, and the reaction of their ground, of both models together."""
    found: dict[str, np.ndarray] = {}
    for kind in ("unreduced_static", "static"):
        project = study_of(text.replace('kind = "static"', f'kind = "{kind}"'), folder / "block.toml")
        place = PIPELINE.run(
            project, Target("analysis", "block", "pressed"), ArtifactStore(folder / "store"), folder
        )
        with closing(place.open()) as results:
            names = sorted({name.rpartition(" ")[0] for name in results.curve_names if " support " in name})
            names.append("supports reaction force")
            wrenches: dict[str, list[float]] = {}
            for name in names:
                owner = name.removesuffix(" force").removesuffix(" moment")
                wrenches[owner] = [
                    float(results.curve(f"{owner} {what} {axis}")[-1])
                    for what in ("force", "moment")
                    for axis in "xyz"
                ]
        for owner, values in wrenches.items():
            np.testing.assert_allclose(values, found.setdefault(owner, np.array(values)), atol=1e-6 * FORCE)
    return found


def test_walls_carry_what_they_keep_the_block_from(folder: Path) -> None:
    """Analytical: pressed between two walls without friction, σx = ν σz; the third direction is free."""
    wall = support("wall", "frictionless", face(0, SIZE[0]))
    found = carried(folder, study(f"{PLANES}, {wall}"))
    sideways = NU * FORCE / (SIZE[0] * SIZE[1]) * SIZE[1] * SIZE[2]
    small = 1e-5 * FORCE
    np.testing.assert_allclose(found["z support"][:3], [0.0, 0.0, FORCE], atol=small)
    np.testing.assert_allclose(found["x support"][:3], [sideways, 0.0, 0.0], atol=small)
    np.testing.assert_allclose(found["wall support"][:3], [-sideways, 0.0, 0.0], atol=small)
    np.testing.assert_allclose(found["y support"][:3], 0.0, atol=small)
    for name in ("x", "wall", "z"):  # evenly, so without moments about the faces' middles
        np.testing.assert_allclose(found[f"{name} support"][3:], 0.0, atol=10 * small)
    np.testing.assert_allclose(found["supports reaction"][:3], [0.0, 0.0, FORCE], atol=small)


def test_springs_and_a_fixed_foot_carry_load_and_weight(folder: Path) -> None:
    """Analytical: statics; the moment of a force at the top counts about the middle of the foot."""
    gravity = 9810.0
    weight = STEEL.density * gravity * float(SIZE.prod())
    springs = ", normal_stiffness = 5e3, tangential_stiffness = 2e3"
    for behaviour, more in (("elastic", springs), ("fixed", "")):
        text = study(support("foot", behaviour, face(2, 0.0), more), (FORCE, 0.0, 0.0)).replace(
            "[[analyses]]",
            f'loads = [{{ kind = "gravity", name = "weight", acceleration = [0.0, 0.0, {-gravity}] }}]\n\n[[analyses]]',
        )
        found = carried(folder, text + 'body_loads = [{ load = "weight", factor = 1000.0 }]\n')
        exact = np.array([-FORCE, 0.0, 1000.0 * weight, 0.0, -FORCE * SIZE[2], 0.0])
        np.testing.assert_allclose(found["foot support"], exact, atol=1e-6 * FORCE)
        np.testing.assert_allclose(found["supports reaction"], exact, atol=1e-6 * FORCE)


@pytest.mark.parametrize("turned", [False, True], ids=["upright", "skew"])
@pytest.mark.parametrize("sides", [("LOW", "UP"), ("UP", "LOW")], ids=["lower master", "upper master"])
def test_supports_carry_the_loads_behind_a_tie_that_meets_them(
    sides: tuple[str, str], turned: bool, tmp_path: Path
) -> None:
    """Statics: the walls hold the lower box up to the edge where its nodes and those of the upper box are tied."""
    model = stacked_boxes("hex8", (2, 2, 2), (2, 2, 2), (2.0, 2.0, 2.0))
    skin = find_skin(model).surface
    middles = facet_centroids(skin, model.nodes)
    elements, faces = (
        np.concatenate([getattr(b, what) for b in skin.blocks]) for what in ("elements", "faces")
    )
    walls = dict(model.surfaces)
    for axis, name in enumerate("XYZ"):
        at = (middles[:, axis] < 1e-9) & (middles[:, 2] < 2.0 - 1e-9)
        walls[name] = DeckSurface(name, elements[at], faces[at], np.zeros(0, np.int64))
    turn = Rotation.from_euler("xyz", [30.0, 20.0, 40.0] if turned else np.zeros(3), degrees=True).as_matrix()
    corner = int(np.argmin(np.linalg.norm(model.nodes - [2.0, 2.0, 4.0], axis=1))) + 1
    write_model(replace(model, nodes=model.nodes @ turn.T, surfaces=walls), tmp_path / "stack.inp")
    force, arm = turn @ [18.0, 4.0, 9.0], turn @ [2.0, 2.0, 4.0]
    on = {name: {"kind": "deck_surface", "name": name} for name in walls}
    analyses = [
        {"kind": kind, "name": kind, "body": body, "support": "supports", "body_loads": [{"load": "push"}]}
        for kind, body in (("static", "held"), ("unreduced_static", "held"), ("unreduced_static", "sliding"))
    ]
    analyses[2]["name"] = "sliding"
    bodies = [
        {
            "name": name, "model": {"path": str(tmp_path / "stack.inp")},
            "supports": [{"name": wall, "surface": on[wall], "behaviour": behaviour} for wall, behaviour in held],
            "joints": [{"name": "weld", "master": on[sides[0]], "slave": on[sides[1]], "treatment": "tied"}],
            "loads": [{"kind": "node_force", "name": "push", "node": corner, "force": force.tolist()}],
        }
        for name, held in (
            ("held", [("X", "fixed")]), ("sliding", [(wall, "frictionless") for wall in "XYZ"])
        )
    ]  # fmt: skip
    session = Session(build(Project, {"bodies": bodies, "analyses": analyses}), tmp_path / "store")
    for name, held in (("static", "X"), ("unreduced_static", "X"), ("sliding", "XYZ")):
        found, total, moment = session.solve(name), np.zeros(3), np.zeros(3)
        for wall in held:
            carried, turns = (
                np.array([found.curve(f"{wall} support {what} {axis}")[-1] for axis in "xyz"])
                for what in ("force", "moment")
            )
            total += carried
            middle = np.ones(3)
            middle["XYZ".index(wall)] = 0.0
            moment += turns + np.cross(turn @ middle, carried)
            if held != "X":  # each along its own normal alone
                normal = turn[:, "XYZ".index(wall)]
                np.testing.assert_allclose(carried, -(force @ normal) * normal, atol=1e-5)
        np.testing.assert_allclose(total, -force, atol=1e-5)
        np.testing.assert_allclose(moment, -np.cross(arm, force), atol=1e-4)


def test_a_punch_without_friction_moves_a_surface_along_its_normal(folder: Path) -> None:
    """A support that moves by itself: E A u / L brings it about, and the block widens as if pressed evenly."""
    punch = support("punch", "frictionless", face(2, SIZE[2]), ", moves = true")
    text = study(f"{PLANES}, {punch}").replace('interfaces = [{ name = "top", node_set = "top" }]\n', "")
    text = "\n".join(line for line in text.split("\n") if not line.startswith(("couplings", "loads")))
    moved = f'{text}displacements = [{{ interface = "punch", uz = -0.006, rx = 0.0, ry = 0.0 }}]\n'
    project = study_of(moved, folder / "block.toml")
    assert [i.name for i in project.bodies[0].interfaces] == ["supports", "punch"]
    nodes, found = pressed(folder, moved)
    strain = 0.006 / SIZE[2]
    exact = nodes * [NU * strain, NU * strain, -strain]
    np.testing.assert_allclose(found, exact, atol=1e-6 * np.abs(exact).max())
    memory, store = Memory(), ArtifactStore(folder / "store")
    place = PIPELINE.run(project, Target("analysis", "block", "pressed"), store, folder, memory=memory)
    with closing(place.open()) as results:
        reaction = results.curve("punch reaction force z")[-1]
    assert reaction == pytest.approx(-E * SIZE[0] * SIZE[1] * strain, rel=1e-6)
    # The interface node follows the name of the support.
    renamed = edits.rename(("bodies", 0, "supports", 3), "ram")(project)
    assert [i.node_set for i in renamed.bodies[0].interfaces] == ["supports", "ram"]


def test_the_ground_has_an_interface_node_that_nobody_made_by_hand(folder: Path) -> None:
    project = study_of(study(PLANES), folder / "block.toml")
    assert [i.name for i in project.bodies[0].interfaces] == ["top", "supports"]
    again = BodySpec.model_validate(project.bodies[0].model_dump(mode="json"))
    assert again == project.bodies[0]


@pytest.mark.parametrize(("moves", "taken"), [(False, "supports"), (True, "foot")])
def test_the_name_of_the_node_of_supports_may_be_taken(moves: bool, taken: str) -> None:
    words = {
        "name": "block", "model": {"path": "block.inp"}, "interfaces": [{"name": taken, "node": 3}],
        "supports": [{"name": "foot", "moves": moves, "surface": {"kind": "deck_surface", "name": "FOOT"}}],
    }  # fmt: skip
    with pytest.raises(
        ModelError, match=f"another node is called '{taken}'.*give that interface node another name"
    ):
        edits.add_body(words)(Project())
    with pytest.raises(ModelError, match=rf"^bodies\[0\]: .*another node is called '{taken}'"):
        project_from_dict({"bodies": [words]})
    given = {
        **words,
        "interfaces": [{"name": taken, "node_set": taken}],
    }  # their own node by the name of its set
    assert [i.name for i in BodySpec.model_validate(given).interfaces] == [taken]


def test_what_cannot_be_supported_is_a_sentence(folder: Path) -> None:
    memory, store = Memory(), ArtifactStore(folder / "store")
    whole = '{ kind = "box", corner = [-1, -1, -1], opposite = [9, 9, 9] }'
    for words, sentence in (
        (
            support("all", "symmetry", whole),
            "Support 'all': the surface is not flat, so it is no plane of symmetry",
        ),
        (support("bed", "elastic", face(2, 0.0)), "The elastic support 'bed' has no stiffness"),
        (support("no", "fixed", face(2, 77.0)), "Support 'no': "),
        (
            f"{PLANES}, {support('supports', 'frictionless', face(2, SIZE[2]), ', moves = true')}",
            "moves by itself is called 'supports', which is the name of the node of all others",
        ),
    ):
        project = study_of(study(words), folder / "block.toml")
        with pytest.raises(ModelError, match=sentence):
            PIPELINE.run(project, Target("model", "block"), store, folder, memory=memory)
    # Held by a table alone it could slide away.
    project = study_of(study(support("z", "frictionless", face(2, 0.0))), folder / "block.toml")
    with pytest.raises(FayingError):
        PIPELINE.run(project, Target("analysis", "block", "pressed"), store, folder, memory=memory)
