"""CAD files: bodies and faces with their names, touching faces that the joint search finds, and what is refused.

Kind: analytical (volumes and areas of boxes, cylinders and holes). Gmsh makes the files and meshes them, each time in a
process of its own.
"""

import re
import subprocess
import sys
import threading
import time
from dataclasses import replace
from importlib.util import find_spec
from math import pi

import numpy as np
import pytest

import faying
from faying.cli import main
from faying.errors import Cancelled, MissingDependencyError, ReadError
from faying.fem.cad.meshing import CadMesh, mesh_cad
from faying.fem.cad.step_names import face_names
from faying.fem.connectivity import connected_parts
from faying.fem.element_quality import element_quality, smallest_jacobians
from faying.fem.mass_properties import mass_properties
from faying.fem.readers import read_model
from faying.fem.skin import find_skin, surface_area, surface_from_deck
from faying.project.joint_proposals import proposed_joints

needs_gmsh = pytest.mark.skipif(
    find_spec("gmsh") is None, reason="Gmsh is not installed (pip install faying[cad])"
)

_BEFORE = """
import gmsh
gmsh.initialize(["gmsh"], readConfigFiles=False)
gmsh.option.setNumber("General.Terminal", 0)
occ = gmsh.model.occ
"""
_LAP = """
lower, upper = occ.addBox(-60, -20, -8, 80, 40, 8), occ.addBox(-20, -20, 0, 80, 40, 8)
hole = occ.addCylinder(0, 0, -20, 0, 0, 40, 4.5)
occ.cut([(3, lower), (3, upper)], [(3, hole)])
shank, head = occ.addCylinder(0, 0, -8, 0, 0, 16, 4), occ.addCylinder(0, 0, 8, 0, 0, 5.6, 7)
nut = occ.addCylinder(0, 0, -13.6, 0, 0, 5.6, 7)
occ.fuse([(3, shank)], [(3, head), (3, nut)])
"""
_DRILLED = """
box, hole = occ.addBox(0, 0, 0, 30, 20, 10), occ.addCylinder(10, 10, -1, 0, 0, 12, 3)
occ.cut([(3, box)], [(3, hole)])
"""
_SHARED = "occ.fragment([(3, occ.addBox(0, 0, 0, 10, 10, 10))], [(3, occ.addBox(10, 0, 0, 10, 10, 10))])"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return a function that writes a file of a shape, by Gmsh in a process of its own."""
    folder = tmp_path_factory.mktemp("cad")

    def make(shape, name, after=""):
        path = folder / name
        if not path.exists():
            script = f"{_BEFORE}{shape}\nocc.synchronize()\n{after}\ngmsh.write({str(path)!r})\n"
            subprocess.run([sys.executable, "-c", script], check=True, stdout=subprocess.DEVNULL)
        return path

    return make


@pytest.fixture(scope="module")
def lap(made):
    """Return a STEP assembly of two plates and a bolt, with names of parts and of one face."""
    path = made(_LAP, "lap.step")
    text = path.read_text()
    names = ("Lower plate", "Upper plate", "Bolt Ü8")
    text = re.sub(
        r"PRODUCT\('[^']*\.(\d)',\s*'[^']*'",
        lambda old: f"PRODUCT('{old[1]}','{names[int(old[1]) - 1]}'",
        text,
    )
    text = text.replace("ADVANCED_FACE('',", "ADVANCED_FACE('Clamped face',", 1)
    path.write_text(text)
    return path


@pytest.fixture(scope="module")
def meshed(lap):
    return mesh_cad(lap, CadMesh(size=4.0))


def area(model, name):
    skin = find_skin(model)
    return surface_area(surface_from_deck(model, name, skin), model.nodes)


@needs_gmsh
def test_bodies_and_faces_keep_their_names(meshed):
    assert set(meshed.element_sets) == {"LOWER_PLATE", "UPPER_PLATE", "BOLT_U8"}
    assert area(meshed, "CLAMPED_FACE") == pytest.approx(320.0)
    assert (
        {block.element for block in meshed.blocks} == {"tet10"} and not meshed.node_sets and not meshed.unread
    )
    assert smallest_jacobians(meshed).min() > 0.0 and element_quality(meshed).min() > 0.05


@needs_gmsh
def test_volume_mass_holes_and_contact_faces(meshed):
    volume = 2.0 * (80.0 * 40.0 - 20.25 * pi) * 8.0 + pi * (16.0 * 16.0 + 2.0 * 49.0 * 5.6)
    assert mass_properties(meshed).mass == pytest.approx(7.85e-9 * volume, rel=1e-3)
    assert area(meshed, "LOWER_PLATE_HOLE_1") == pytest.approx(2.0 * pi * 4.5 * 8.0, rel=5e-3)
    assert area(meshed, "UPPER_PLATE_ON_LOWER_PLATE") == pytest.approx(40.0 * 40.0 - 20.25 * pi, rel=1e-3)
    assert area(meshed, "BOLT_U8_ON_UPPER_PLATE") == pytest.approx((49.0 - 16.0) * pi, rel=1e-2)
    assert not any(name.startswith("BOLT_U8_HOLE") for name in meshed.surfaces)  # its shank bulges


@needs_gmsh
def test_bodies_have_nodes_of_their_own_and_the_search_finds_where_they_touch(meshed):
    assert connected_parts(meshed)[1] == 3
    found = {each.joint.name: each for each in proposed_joints(meshed, find_skin(meshed))}
    assert set(found) == {"lower plate on upper plate", "upper plate on bolt u8", "lower plate on bolt u8"}
    plates = found["lower plate on upper plate"]
    assert plates.areas == pytest.approx([40.0 * 40.0 - 20.25 * pi] * 2, rel=1e-3)
    assert plates.measure.gaps == pytest.approx((0.0, 0.0), abs=1e-9)
    # The surface of the file that is taken: the face of the head around the shank.
    assert found["upper plate on bolt u8"].areas[1] == pytest.approx((49.0 - 16.0) * pi, rel=1e-2)


@needs_gmsh
def test_elements_are_finer_where_bodies_touch_and_at_holes(lap, meshed):
    coarse = mesh_cad(lap, CadMesh(size=4.0, refinement=1.0))
    assert len(coarse.element_ids) < 0.7 * len(meshed.element_ids)

    def edge(model, name):
        surface = surface_from_deck(model, name, find_skin(model))
        return np.sqrt(surface_area(surface, model.nodes) / sum(len(b.connectivity) for b in surface.blocks))

    assert edge(meshed, "LOWER_PLATE_ON_UPPER_PLATE") < 0.65 * edge(coarse, "LOWER_PLATE_ON_UPPER_PLATE")
    assert edge(meshed, "CLAMPED_FACE") == pytest.approx(edge(coarse, "CLAMPED_FACE"), rel=0.15)


@needs_gmsh
def test_edges_are_straightened_where_curved_ones_turn_an_element_inside_out(meshed):
    from faying.fem.cad.meshing import _right_way_round

    nodes, element = meshed.nodes.copy(), meshed.blocks[0].connectivity[0]
    nodes[element[4]] = nodes[element[3]]
    spoiled = replace(meshed, nodes=nodes)
    assert smallest_jacobians(spoiled).min() <= 0.0
    mended = _right_way_round(spoiled)
    assert smallest_jacobians(mended).min() > 0.0
    assert mended.nodes[element[4]] == pytest.approx(nodes[element[:2]].mean(axis=0))


@needs_gmsh
def test_what_gmsh_lacks_is_told(lap, tmp_path, monkeypatch):
    """A module of that name stands for one whose library cannot be loaded."""
    (tmp_path / "gmsh.py").write_text(
        "raise OSError('libGLU.so.1: cannot open shared object file: No such file or directory')"
    )
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    with pytest.raises(MissingDependencyError, match=r"Gmsh lacks the library libGLU\.so\.1\. Install it"):
        mesh_cad(lap, CadMesh())


@needs_gmsh
def test_the_same_file_gives_the_same_mesh(lap):
    one, other = (mesh_cad(lap, CadMesh(size=12.0, refinement=1.0)) for _ in range(2))
    np.testing.assert_array_equal(one.nodes, other.nodes)


@needs_gmsh
def test_a_deck_in_metres(lap, tmp_path):
    made = faying.mesh(lap, tmp_path / "lap.inp", units="m-kg-s", size="8 mm", order=1)
    assert np.ptp(made.model.nodes, axis=0) == pytest.approx([0.12, 0.04, 0.0272], rel=1e-6)
    assert dict(made.facts)["Bodies"] == "LOWER_PLATE, UPPER_PLATE, BOLT_U8"
    assert made.model.materials["MATERIAL"].density == 7850.0
    assert set(read_model(made.path).surfaces) == set(made.model.surfaces)


@needs_gmsh
@pytest.mark.parametrize("ending", ["brep", "step"])
def test_bodies_that_share_a_face_part(made, ending):
    model = mesh_cad(made(_SHARED, f"shared.{ending}"), CadMesh(size=4.0))
    assert connected_parts(model)[1] == 2
    assert area(model, "BODY_1_ON_BODY_2") == pytest.approx(100.0) == area(model, "BODY_2_ON_BODY_1")


@needs_gmsh
def test_brep_iges_and_stl(made):
    drilled = mesh_cad(made(_DRILLED, "drilled.brep"), CadMesh(size=3.0))
    assert mass_properties(drilled).volume == pytest.approx(6000.0 - 90.0 * pi, rel=2e-3)
    assert area(drilled, "BODY_1_HOLE_1") == pytest.approx(60.0 * pi, rel=5e-3)
    box = mesh_cad(made("occ.addBox(0, 0, 0, 30, 20, 10)", "box.iges"), CadMesh(size=4.0))
    assert mass_properties(box).volume == pytest.approx(6000.0) and len(box.surfaces) == 6
    box = mesh_cad(made("", "box.iges"), CadMesh(size=0.004), "m-kg-s")
    assert mass_properties(box).volume == pytest.approx(6e-6)
    triangles = 'gmsh.option.setNumber("Mesh.MeshSizeMax", 2)\ngmsh.model.mesh.generate(2)'
    model = mesh_cad(made("occ.addBox(0, 0, 0, 30, 20, 10)", "box.stl", triangles), CadMesh(size=4.0))
    assert mass_properties(model).volume == pytest.approx(6000.0, rel=1e-3)
    areas = sorted(area(model, name) for name in model.surfaces)
    assert areas == pytest.approx([200.0, 200.0, 300.0, 300.0, 600.0, 600.0], rel=1e-3)


@needs_gmsh
def test_halves_of_a_hole_are_one_and_two_holes_are_two(made):
    half = "occ.addCylinder({x}, 10, -1, 0, 0, 12, 3, angle=3.14159265358979)"
    holes = [f"(3, {half.format(x=x)})" for x in (8, 20)]
    turned = f"other = {half.format(x=8)}\nocc.rotate([(3, other)], 8, 10, 0, 0, 0, 1, 3.14159265358979)"
    shape = f"box = occ.addBox(0, 0, 0, 30, 20, 10)\n{turned}\nocc.cut([(3, box)], [{', '.join(holes)}, (3, other)])"
    model = mesh_cad(made(shape, "halves.brep"), CadMesh(size=3.0))
    assert area(model, "BODY_1_HOLE_1") == pytest.approx(60.0 * pi, rel=1e-2)
    assert area(model, "BODY_1_HOLE_2") == pytest.approx(30.0 * pi, rel=1e-2)
    assert "BODY_1_HOLE_3" not in model.surfaces


@needs_gmsh
def test_what_cannot_be_meshed_is_a_sentence(made, tmp_path):
    with pytest.raises(ReadError, match=r"sheet\.step: it has no closed body\. Make solids"):
        mesh_cad(made("occ.addRectangle(0, 0, 0, 10, 10)", "sheet.step"), CadMesh())
    wrong = tmp_path / "wrong.step"
    wrong.write_text("no STEP file")
    with pytest.raises(ReadError, match=r"wrong\.step: Gmsh"):
        mesh_cad(wrong, CadMesh())
    with pytest.raises(ReadError, match="cannot be read"):
        mesh_cad(tmp_path / "none.step", CadMesh())


@needs_gmsh
def test_it_can_be_cancelled_and_leaves_no_process(lap, monkeypatch):
    """A mesh far too fine: it would take minutes."""
    from faying.fem.cad import meshing
    from faying.progress import CancelFlag

    started, start = [], meshing.start_child

    def noted(*words, **more):
        started.append(start(*words, **more))
        return started[-1]

    monkeypatch.setattr(meshing, "start_child", noted)
    flag = CancelFlag()
    threading.Timer(3.0, flag.cancel).start()
    begin = time.monotonic()
    with pytest.raises(Cancelled):
        mesh_cad(lap, CadMesh(size=0.2), progress=flag)
    assert time.monotonic() - begin < 20.0 and started[0][0].poll() is not None


@needs_gmsh
def test_gmsh_is_never_loaded_here(meshed):
    """Its licence is another one: it meshes in a process of its own, and no other test of this process imports it."""
    assert len(meshed.element_ids) > 0 and "gmsh" not in sys.modules


@needs_gmsh
def test_the_command_meshes_a_file(lap, tmp_path, capsys):
    path = tmp_path / "lap.inp"
    assert main(["mesh", f"{lap}:refinement=1", "--size", "6 mm", "--order", "1", "--to", str(path)]) == 0
    said = capsys.readouterr().out
    assert "Bodies: LOWER_PLATE, UPPER_PLATE, BOLT_U8" in said and "UPPER_PLATE_ON_LOWER_PLATE" in said
    assert main(["search", str(path)]) == 0
    assert 'name = "LOWER_PLATE_ON_UPPER_PLATE"' in capsys.readouterr().out
    assert main(["mesh", str(lap), "--size", "-1", "--to", str(path)]) == 1
    assert "greater than or equal to 0" in capsys.readouterr().err


def test_geometry_is_told_from_a_mesh(tmp_path, capsys):
    path = tmp_path / "part.stp"
    path.write_text("ISO-10303-21;")
    with pytest.raises(ReadError, match=r"this is geometry, not a mesh\. .*faying\[cad\].*faying mesh"):
        read_model(path)
    for command in ("info", "check", "new"):
        assert main([command, str(path)]) == 1
        assert "this is geometry" in capsys.readouterr().err


def test_without_gmsh_it_is_said_what_lacks(tmp_path, monkeypatch):
    from faying.fem.cad import meshing

    monkeypatch.setattr(meshing, "is_installed", lambda: False)
    with pytest.raises(
        MissingDependencyError, match=r"part\.step is geometry.*Gmsh.*pip install \"faying\[cad\]\""
    ):
        mesh_cad(tmp_path / "part.step", CadMesh())


def test_names_of_faces_in_step_files():
    text = """
    #1=MANIFOLD_SOLID_BREP('a; (b)',#2);
    #2=CLOSED_SHELL('',(#3,
       #4,#5));
    #3=ADVANCED_FACE('it''s #9; (top)',(#6),#7,.T.);
    #4=ADVANCED_FACE('NONE',(#6),#8,.F.);
    #5 = ADVANCED_FACE ( '', ( #6 ), #9, .T. ) ;
    #7=PLANE('',#10); #8=CYLINDRICAL_SURFACE('',#10,4.5);
    #9=B_SPLINE_SURFACE('',1);
    """
    assert face_names(text) == [(("Plane", "it's #9; (top)"), ("Cylinder", ""), ("", ""))]
    assert face_names("no STEP file") == []
