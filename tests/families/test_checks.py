"""Every check, provoked through a real small model; and none of them cries wolf over a good one."""

from pathlib import Path

import pytest

from faying import edits
from faying.fem.assembly import assemble
from faying.fem.matrix_export import write_matrices
from faying.fem.readers import read_model
from faying.fem.unit_guess import likely_units
from faying.joints.contact_laws import contact_laws
from faying.params import build
from faying.project.checks import CheckedProject, Finding, entity_text, run_checks
from faying.project.deck import with_digests
from faying.project.findings import find_findings
from faying.project.pipeline import Pipeline
from faying.project.specs import Project
from faying.project.stage import Target
from faying.project.stages import STAGES
from faying.project.store import ArtifactStore
from faying.project.study import read_study
from faying.testing import CheckContract
from support.plate_deck import BLOW, STUDY, write_plate_deck, write_study
from support.sheet_deck import write_sheet_deck


class TestChecks(CheckContract):
    pass


def _findings(folder: Path, text: str = STUDY, **deck) -> list[Finding]:
    project = read_study(write_study(folder, text, **deck))
    return find_findings(project, ArtifactStore(folder / "store"), folder, compute=True)


def _only(findings: list[Finding], check: str) -> Finding:
    found = [f for f in findings if f.check == check]
    assert len(found) == 1, [f.sentence for f in findings]
    assert found[0].sentence.endswith(".") and found[0].hint
    return found[0]


# The end faces of the small plates touch the joint, so "hold" rules over a part of it: a warning that is right.
_ALWAYS = {"interface_nodes"}


def test_a_good_model_has_no_errors(tmp_path):
    findings = _findings(tmp_path)
    assert {f.check for f in findings} <= _ALWAYS
    assert not [f for f in findings if f.severity == "error"]


@pytest.mark.parametrize(
    ("probe", "sentence"),
    [
        ("number = 999999", "There is no element 999999"),
        ('place = "node", number = 1, field = "pressure"', "does not follow from the stress there"),
        ('number = 1, field = "moon"', "There is no field called 'moon'"),
    ],
)  # fmt: skip
def test_probes(tmp_path, probe, sentence):
    text = STUDY.replace("joint_modes =", f"probes = [{{ {probe} }}]\njoint_modes =", 1)
    found = _only(_findings(tmp_path, text), "probes")
    assert (
        found.severity == "warning"
        and found.entity == ("bodies", 0, "probes", 0)
        and sentence in found.sentence
    )


def test_unread_lines(tmp_path):
    extra = "*STEP\n*STATIC\n*BOUNDARY\n1, 1, 3\n*END STEP"
    found = _only(_findings(tmp_path, extra=extra), "unread_lines")
    assert found.severity == "note" and found.entity == ("bodies", 0, "model")
    assert "STEP" in found.sentence and "line" in found.sentence


def test_ties_that_failed_are_told_before_all_that_only_was_not_read(tmp_path):
    far = "*SURFACE, NAME=FAR, TYPE=NODE\nSTART\n*TIE, NAME=GLUE\nFAR, UPPER"
    steps = "\n".join("*STEP\n*STATIC\n*END STEP" for _ in range(12))
    findings = [f for f in _findings(tmp_path, extra=f"{steps}\n{far}") if f.check == "unread_lines"]
    assert [f.severity for f in findings] == ["warning", "note"]
    tie, rest = findings
    assert "*TIE: " in tie.sentence and "are farther than" in tie.sentence
    assert len(tie.details) == 1 and "FAR" in tie.details[0]
    assert "12 × *STEP (line " in rest.sentence
    assert len(rest.details) == 12 and all(line.startswith("line ") for line in rest.details)


def test_materials_with_directions(tmp_path):
    """Constants that no material has are an error; those that one can have, a note on where they act."""
    chosen = (
        '[[bodies.materials]]\nkind = "orthotropic"\nname = "STEEL"\n'
        "modulus_1 = 140e3\nmodulus_2 = 9e3\nmodulus_3 = 9e3\n"
        "poisson_ratio_12 = {ratio}\nshear_modulus_12 = 5e3\nshear_modulus_13 = 5e3\nshear_modulus_23 = 3200.0\n"
        "density = 1.6e-9\n\n"
    )
    for ratio, severity in ((0.3, "note"), (9.0, "error")):
        text = STUDY.replace("[[analyses]]", chosen.format(ratio=ratio) + "[[analyses]]", 1)
        folder = tmp_path / severity
        folder.mkdir()
        found = [f for f in _findings(folder, text) if f.check == "directional_materials"]
        assert [f.severity for f in found] == [severity], [f.sentence for f in found]
        assert "STEEL" in found[0].sentence


def test_a_finding_on_the_mesh_has_all_its_numbers(tmp_path):
    findings = _findings(
        tmp_path, extra="*NODE\n" + "\n".join(f"{900 + i}, 0, 0, {99 + i}" for i in range(9))
    )
    (free,) = (f for f in findings if "belong to no element" in f.sentence)
    assert "…" in free.sentence and free.details == tuple(f"node {900 + i}" for i in range(9))


def test_names_of_sets_match_in_any_case(tmp_path):
    text = STUDY.replace('"HOLD"', '"Hold"').replace('"TIP"', '"tip"').replace('"LOWER"', '"Lower"')
    found = _findings(tmp_path, text)
    assert not [f.sentence for f in found if f.severity == "error"]


@pytest.mark.parametrize(
    ("deck", "words"),
    [
        ({"density": -7.85e-9}, "density is -7.85e-09"),
        ({"modulus": 2.1e11}, "a modulus of 2.1e+11 cannot be N/mm²"),
        ({"modulus": 2.1, "density": 7.85e-9}, "speed of sound"),
        ({"density": 7850.0}, "a density of 7850 cannot be t/mm³"),
        ({"density": 7.85e-6}, "cannot be t/mm³"),
        (
            {"modulus": 2.1e11, "density": 7850.0},
            "a modulus of 2.1e+11 cannot be N/mm² and a density of 7850",
        ),
    ],
)
def test_materials(tmp_path, deck, words):
    found = [f for f in _findings(tmp_path, **deck) if f.check == "materials"]
    assert found and all(f.severity == "error" for f in found)
    assert words in found[0].sentence and "STEEL" in found[0].sentence
    assert found[0].hint


def test_a_rigid_dummy_beside_a_material_of_machines_is_a_warning(tmp_path):
    dummy = (
        "*NODE\n901, 90, 0, 0\n902, 91, 0, 0\n903, 90, 1, 0\n904, 90, 0, 1\n"
        "*ELEMENT, TYPE=C3D4, ELSET=DUMMY\n901, 901, 902, 903, 904\n"
        "*MATERIAL, NAME=RIGID\n*ELASTIC\n2.1e9, 0.3\n*DENSITY\n7.85e-9\n"
        "*SOLID SECTION, ELSET=DUMMY, MATERIAL=RIGID"
    )
    found = _only(_findings(tmp_path, extra=dummy), "materials")
    assert found.severity == "warning" and "'RIGID'" in found.sentence and "something rigid" in found.hint
    assert likely_units(read_model(next(tmp_path.glob("*.inp")))) == ("mm-t-s",)
    # Where the other material is wrong as well, both are errors.
    severities = [
        f.severity for f in _findings(tmp_path, modulus=2.1e11, extra=dummy) if f.check == "materials"
    ]
    assert severities == ["error", "error"]


@pytest.mark.parametrize("density", [0.0, None])
def test_densities(tmp_path, density):
    """The study reduces the body, so that the mass counts; what statics does without is in `test_densities.py`."""
    found = _only(_findings(tmp_path, density=density), "densities")
    assert found.severity == "error" and "'STEEL'" in found.sentence and "*DENSITY" in found.hint


def test_a_modulus_in_gigapascal_is_doubted(tmp_path):
    found = _only(_findings(tmp_path, modulus=210.0), "materials")
    assert found.severity == "warning" and "164 m/s" in found.sentence


@pytest.mark.parametrize(("modulus", "density"), [(2.1e11, 7850.0), (7.0e10, 2700.0), (2.0e9, 1000.0)])
def test_right_units_are_not_doubted(tmp_path, modulus, density):
    text = STUDY.replace("mm-t-s", "m-kg-s")
    assert not [
        f for f in _findings(tmp_path, text, modulus=modulus, density=density) if f.check == "materials"
    ]


def test_elements_without_material(tmp_path):
    found = [f for f in _findings(tmp_path, with_material=False) if f.check == "materials"]
    assert found and "no material" in found[0].sentence and "C3D10" in found[0].sentence


def test_a_surface_that_is_not_there(tmp_path):
    found = _only(_findings(tmp_path, STUDY.replace('"UPPER"', '"ROOF"')), "joint_surfaces")
    assert found.severity == "error" and found.entity == ("bodies", 0, "joints", 0, "slave")
    assert "ROOF" in found.sentence


def test_a_surface_without_elements(tmp_path):
    found = _only(
        _findings(tmp_path, STUDY.replace('"UPPER"', '"NODES_ONLY"'), empty_surface=True), "joint_surfaces"
    )
    assert found.severity == "error" and "NODES_ONLY" in found.sentence


def test_master_and_slave_overlap(tmp_path):
    found = _only(_findings(tmp_path, STUDY.replace('"UPPER"', '"LOWER"')), "joint_surfaces")
    assert "overlap" in found.sentence and found.entity == ("bodies", 0, "joints", 0)


def test_normals_that_point_inward(tmp_path):
    found = [f for f in _findings(tmp_path, turn_inside_out=True) if f.check == "joint_surfaces"]
    assert found and "master" in found[0].sentence and "point into the body" in found[0].sentence


def test_parts_that_hang_together_by_contact_alone(tmp_path):
    deck = {"hold_upper": False, "load_upper": False}
    found = _only(_findings(tmp_path, **deck), "loose_parts")
    assert found.severity == "note" and "part 'UP' of" in found.sentence
    assert "weak ties of 1e-05" in found.sentence and "% of its force" in found.sentence
    assert "weak_ties" in found.hint
    without = STUDY.replace('name = "plates"\n', 'name = "plates"\nweak_ties = 0.0\n', 1)
    found = _only(_findings(tmp_path, without, **deck), "loose_parts")
    assert found.severity == "error" and "weak_ties" in found.hint
    assert "contact alone" in found.sentence and "part 'UP' of" in found.sentence
    # A part that no joint touches cannot be tied.
    text = STUDY[: STUDY.index("[[bodies.joints]]")]
    assert _only(_findings(tmp_path, text, **deck), "loose_parts").severity == "error"


def test_parts_that_are_tied_weakly_are_told(tmp_path):
    text = STUDY.replace('name = "plates"\n', 'name = "plates"\nweak_ties = 1e-5\n', 1)
    found = _only(_findings(tmp_path, text, hold_upper=False, load_upper=False), "loose_parts")
    assert found.severity == "note" and "weak ties of 1e-05" in found.sentence


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('node_set = "HOLD"', 'node_set = "NOWHERE"', "no node set 'NOWHERE'"),
        ('node_set = "HOLD"', 'node_set = "START"', "not just one"),
        ('node_set = "HOLD"', "", "names no node"),
        ('node_set = "HOLD"', "node = 99999", "no node 99999"),
        ('node_set = "HOLD"', "node = 2", "lies on the master surface of joint 'lap'"),
        ('node_set = "HOLD"', 'node_set = "TIP"', "are the same node"),
    ],
)
def test_interface_nodes(tmp_path, old, new, words):
    found = [f for f in _findings(tmp_path, STUDY.replace(old, new)) if f.check == "interface_nodes"]
    assert [f for f in found if f.severity == "error" and words in f.sentence], found


def test_an_interface_node_that_rules_over_the_joint(tmp_path):
    found = _only(_findings(tmp_path), "interface_nodes")
    assert found.severity == "warning" and "5 of the 45 nodes of the master surface" in found.sentence


def test_a_support_that_slides_makes_no_joint_rigid(tmp_path):
    plane = '{ name = "plane", surface = { kind = "deck_surface", name = "LOWER" }, behaviour = "%s" }'
    for behaviour, count in (("symmetry", 0), ("fixed", 1)):
        text = STUDY.replace("[[bodies]]\n", f"[[bodies]]\nsupports = [{plane % behaviour}]\n")
        found = [f.sentence for f in _findings(tmp_path, text) if f.check == "interface_nodes"]
        assert len([sentence for sentence in found if "'supports' makes 45 of the 45" in sentence]) == count


def test_a_body_without_interface_nodes_and_joints(tmp_path):
    write_plate_deck(tmp_path / "plates.inp")
    study = tmp_path / "plates.toml"
    study.write_text('[[bodies]]\nname = "plates"\nmodel = { path = "plates.inp" }\n')
    findings = find_findings(read_study(study), ArtifactStore(tmp_path / "store"), tmp_path, compute=True)
    assert "no interface node" in _only(findings, "interface_nodes").sentence
    assert "no joint" in _only(findings, "body_complete").sentence
    # One that is to touch other parts need not have any.
    surface = 'contact_surfaces = [{ name = "top", surface = { kind = "deck_surface", name = "UPPER" } }]'
    study.write_text(f"{study.read_text()}{surface}\n")
    assert not [
        f for f in run_checks(CheckedProject(read_study(study), tmp_path)) if f.check == "body_complete"
    ]


def test_an_empty_project(tmp_path):
    study = tmp_path / "empty.toml"
    study.write_text('name = "Nothing yet"\n')
    findings = find_findings(read_study(study), ArtifactStore(tmp_path / "store"), tmp_path, compute=True)
    assert [f.sentence for f in findings] == ["The project has no body."]


def test_a_deck_that_changed_since(tmp_path):
    study = write_study(tmp_path)
    project = with_digests(read_study(study), tmp_path)
    store = ArtifactStore(tmp_path / "store")
    assert not [f for f in find_findings(project, store, tmp_path, compute=True) if f.check == "deck_file"]
    write_plate_deck(tmp_path / "plates.inp", density=7.8e-9)
    found = _only(find_findings(project, store, tmp_path, compute=True), "deck_file")
    assert found.severity == "warning" and "has changed" in found.sentence


def test_a_deck_that_is_gone(tmp_path):
    study = write_study(tmp_path)
    (tmp_path / "plates.inp").unlink()
    findings = find_findings(read_study(study), ArtifactStore(tmp_path / "store"), tmp_path, compute=True)
    assert _only(findings, "deck_file").severity == "error"


def test_a_deck_that_cannot_be_read_is_one_finding(tmp_path):
    study = write_study(tmp_path)
    (tmp_path / "plates.inp").write_text("*NODE\n1, zero, 0, 0\n")
    findings = find_findings(read_study(study), ArtifactStore(tmp_path / "store"), tmp_path, compute=True)
    errors = [f for f in findings if f.severity == "error"]
    assert len(errors) == 1 and "plates.inp, line 2" in errors[0].sentence


def test_few_pairs(tmp_path):
    """With the search angle and a narrow master, most slave nodes find nothing."""
    text = STUDY.replace("contact_law", "search = { distance = 0.05 }\ncontact_law")
    found = [f for f in _findings(tmp_path, text, gap=0.2) if f.severity == "error"]
    assert found and "lap" in found[0].sentence


def test_initial_penetration(tmp_path):
    found = _only(_findings(tmp_path, gap=-0.01), "contact_pairs")
    assert found.severity == "warning"
    assert "55 contact pairs penetrate" in found.sentence and "0.01 mm" in found.sentence


@pytest.mark.parametrize(
    ("old", "new", "words", "severity"),
    [
        ('support = "hold"', 'support = "sky"', "is held at 'sky'", "error"),
        ('body = "plates"', 'body = "moon"', "no body called 'moon'", "error"),
        ('interface = "tip"', 'interface = "sky"', "acts on 'sky'", "error"),
        ('interface = "tip"', 'interface = "hold"', "where the body is held", "warning"),
        ("[0.0, 0.0, -20.0]", "[0.0, 0.0, 0.0]", "no load", "warning"),
    ],
)
def test_analyses(tmp_path, old, new, words, severity):
    found = _only(_findings(tmp_path, STUDY.replace(old, new)), "analyses_complete")
    assert words in found.sentence and found.severity == severity and found.entity[0] == "analyses"


def test_imported_matrices(tmp_path):
    study = write_study(tmp_path, STUDY.replace('"plates.inp" }', '"plates.inp", stiffness_file = "K.npz" }'))
    store = ArtifactStore(tmp_path / "store")

    def found():
        return _only(find_findings(read_study(study), store, tmp_path, compute=True), "imported_matrices")

    assert "has the matrix K.npz of another program, but no mass file" in found().sentence
    text = study.read_text().replace(
        'stiffness_file = "K.npz"', 'stiffness_file = "K.npz", mass_file = "M.npz"'
    )
    model = read_model(tmp_path / "plates.inp")
    for path in write_matrices(tmp_path, model, assemble(model))[:2]:
        path.rename(tmp_path / f"{path.stem[0].upper().replace('S', 'K')}.npz")
    study.write_text(text)
    assert not [
        f for f in find_findings(read_study(study), store, tmp_path, compute=True) if f.severity == "error"
    ]
    project = with_digests(read_study(study), tmp_path)
    (tmp_path / "M.npz").write_bytes((tmp_path / "K.npz").read_bytes())
    changed = _only(find_findings(project, store, tmp_path), "imported_matrices")
    assert changed.severity == "warning" and "have changed" in changed.sentence
    (tmp_path / "K.npz").unlink()
    assert "K.npz is not there" in found().sentence


@pytest.mark.parametrize(
    ("load", "words"),
    [
        ("", "Preload case 'bolts' has no load"),
        (
            '{ kind = "node_force", node_set = "START", force = [0.0, 0.0, 1.0] }',
            "no node set of one node called",
        ),
        (
            '{ kind = "node_force", interface = "top", force = [0.0, 0.0, 1.0] }',
            "no interface node called 'top'",
        ),
        ('{ kind = "interference", joint = "other", amount = 0.1 }', "no joint called 'other'"),
        (
            '{ kind = "surface_force", surface = { kind = "deck_surface", name = "WASHER" }, force = 1.0 }',
            "no surface called 'WASHER'",
        ),
    ],
)
def test_preload_cases(tmp_path, load, words):
    text = STUDY.replace(
        "[[analyses]]", f'[[bodies.preloads]]\nname = "bolts"\nloads = [{load}]\n\n[[analyses]]'
    )
    found = _only(_findings(tmp_path, text), "preload_cases")
    assert found.severity == "error" and words in found.sentence and "'bolts'" in found.sentence


def test_an_analysis_under_a_preload_case_that_is_not_there(tmp_path):
    text = STUDY.replace("load_steps = 3", 'preloads = ["bolts"]')
    found = _only(_findings(tmp_path, text), "preload_cases")
    assert found.entity == ("analyses", 0, "preloads") and "'bolts'" in found.sentence


def test_body_loads_of_parts(tmp_path):
    loads = (
        '[[bodies.loads]]\nkind = "gravity"\nname = "weight"\nacceleration = [0, 0, -9810]\n\n[[analyses]]'
    )
    part = '{ kind = "flexible", name = "it", body = "plates", body_loads = [{ load = "weight" }, { load = "rain" }] }'
    text = STUDY.replace("[[analyses]]", loads) + f'\n[[systems]]\nname = "swing"\nparts = [{part}]\n'
    project = read_study(write_study(tmp_path, text))
    found = [f for f in run_checks(CheckedProject(project, tmp_path)) if f.check == "body_loads"]
    assert [f.entity[-1] for f in found] == [0, 1]
    assert (
        "cannot move under the load 'weight'" in found[0].sentence and "its own gravity" in found[0].sentence
    )
    assert "takes a load 'rain', which body 'plates' has not" in found[1].sentence


def test_body_loads(tmp_path):
    load = (
        'kind = "pressure"\nname = "press"\npressure = 1.0\nsurface = { kind = "deck_surface", name = "LID" }'
    )
    text = STUDY.replace("[[analyses]]", f"[[bodies.loads]]\n{load}\n\n[[analyses]]")
    text = text.replace("load_steps = 3", 'body_loads = [{ load = "wind" }]')
    found = [f for f in _findings(tmp_path, text) if f.check == "body_loads"]
    assert [f.entity for f in found] == [("bodies", 0, "loads", 0), ("analyses", 0, "body_loads", 0)]
    assert "Load 'press': The deck has no surface called 'LID'" in found[0].sentence
    assert "'wind', which body 'plates' has not" in found[1].sentence and "press" in found[1].hint
    # It may be a surface of another body, which is told.
    other = (
        text.replace("LID", "SEAT")
        + """
[[bodies]]
name = "foot"
model = { path = "foot.inp" }
"""
    )
    deck = write_plate_deck(tmp_path / "foot.inp").read_text(encoding="utf-8")
    (tmp_path / "foot.inp").write_text(deck.replace("NAME=LOWER", "NAME=SEAT"), encoding="utf-8")
    found = [f for f in _findings(tmp_path, other) if f.check == "body_loads" and f.entity[0] == "bodies"]
    assert found[0].hint == "Body 'foot' has one of that name. A load acts on surfaces of its own body."
    heat = text.replace(load, 'kind = "temperature"\nname = "warm"\nchange = "40 K"').replace("wind", "warm")
    (finding,) = [f for f in _findings(tmp_path, heat) if f.check == "body_loads"]
    assert "'warm': The material 'STEEL' has no coefficient of thermal expansion" in finding.sentence
    assert "*EXPANSION" in finding.hint


_LAW = '{ kind = "linear_penalty", stiffness = 5000.0 }'


@pytest.mark.parametrize(
    ("law", "word"),
    [
        ('{ kind = "linear_penalty", stiffness = 50.0 }', "far softer than the elements beneath it"),
        ('{ kind = "linear_penalty", stiffness = 5e9 }', "far stiffer than the elements beneath it"),
        ('{ kind = "exponential", clearance = 0.1 }', "far softer"),
    ],
)
def test_a_contact_law_that_does_not_fit_the_mesh(tmp_path, law, word):
    found = _only(_findings(tmp_path, STUDY.replace(_LAW, law)), "contact_stiffness")
    assert found.severity == "warning" and found.entity == ("bodies", 0, "joints", 0)
    assert word in found.sentence and "N/mm³ fits the mesh" in found.hint


@pytest.mark.parametrize("kind", list(contact_laws))
def test_default_contact_laws_fit(tmp_path, kind):
    findings = _findings(tmp_path, STUDY.replace(_LAW, f'{{ kind = "{kind}" }}'))
    assert not [f for f in findings if f.check == "contact_stiffness"]


def test_a_contact_table_that_is_not_there(tmp_path):
    law = '{ kind = "tabulated", path = "no.csv" }'
    found = _only(_findings(tmp_path, STUDY.replace(_LAW, law)), "contact_stiffness")
    assert found.severity == "error"
    assert "no.csv: the table of a contact law is not there" in found.sentence


def test_tables_of_contact_laws_count_from_the_folder_of_the_project(tmp_path):
    project = read_study(write_study(tmp_path, hold_upper=False, load_upper=False))
    (tmp_path / "law.csv").write_text("gap,pressure\n0,0\n-0.001,5\n", encoding="utf-8")
    law = {"kind": "tabulated", "path": "law.csv"}
    project = edits.set_value(("bodies", 0, "joints", 0, "contact_law"), law)(project)
    findings = find_findings(project, ArtifactStore(tmp_path / "store"), tmp_path, compute=True)
    assert not [f for f in findings if f.check == "contact_stiffness"]
    assert "% of its force" in _only(findings, "loose_parts").sentence


def test_a_system_that_nothing_moves(tmp_path):
    part = {"kind": "rigid", "name": "block"}
    project = build(Project, {"systems": [{"name": "space", "parts": [part]}]})
    found = _only(find_findings(project, ArtifactStore(tmp_path / "store"), tmp_path), "system_motion")
    assert found.severity == "warning" and found.entity == ("systems", 0)
    assert "no force acts on it" in found.sentence
    assert entity_text(project, found.entity) == "system space"


def test_a_deck_that_looks_as_if_written_in_other_units(tmp_path):
    findings = _findings(tmp_path, modulus=2.1e11, density=7850.0)
    found = _only(findings, "unit_system")
    assert found.severity == "warning" and "look as if written in m-kg-s" in found.sentence


def test_a_mass_at_a_node_that_nothing_holds(tmp_path):
    extra = "*NODE\n9999, 0., 0., 50.\n*ELEMENT, TYPE=MASS, ELSET=M\n9999, 9999\n*MASS, ELSET=M\n1.E-3"
    found = _only(_findings(tmp_path, extra=extra), "point_masses")
    assert found.severity == "warning" and "MASS element 9999 at node 9999" in found.sentence


def test_the_mesh_is_looked_at(tmp_path):
    found = _only(_findings(tmp_path, extra="*NODE\n9998, 0., 0., 50."), "mesh")
    assert found.severity == "note" and found.sentence.startswith("Node 9998 belongs to no element")
    assert found.entity == ("bodies", 0, "model")


@pytest.mark.parametrize(("expected", "words"), [("12 g", "4.7% more"), ("12.5 g", ""), ("14 g", "% less")])
def test_expected_mass(tmp_path, expected, words):
    # Two plates 40 × 10 × 2 of steel: 12.56 g.
    text = STUDY.replace('name = "plates"\n', f'name = "plates"\nexpected_mass = "{expected}"\n', 1)
    findings = _findings(tmp_path, text)
    if words:
        found = _only(findings, "expected_mass")
        assert found.severity == "warning" and words in found.sentence
    else:
        assert "expected_mass" not in {f.check for f in findings}


def test_modes_that_were_separated_although_their_inertia_counts(tmp_path):
    """A blow of a microsecond leaves the inertia of the plates' joint modes no time to be small."""
    study = write_study(tmp_path, STUDY + BLOW)
    project, store = read_study(study), ArtifactStore(tmp_path / "store")
    Pipeline(STAGES).run(project, Target("analysis", "plates", "blow"), store, tmp_path)
    found = _only(find_findings(project, store, tmp_path), "separation")
    assert found.severity == "warning" and found.entity == ("analyses", 1)
    assert "'blow'" in found.sentence and "%" in found.sentence


def test_a_basis_that_misses_the_mounted_state(tmp_path):
    """Without joint modes and preload mode nothing bends the plates as their preload does."""
    text = STUDY.replace("count = 6", "count = 0").replace("load_steps = 3", 'preloads = ["close"]')
    held = ('{ kind = "node_force", interface = "tip", force = [0, 0, -10.0] }',
            '{ kind = "node_force", node_set = "HOLD", force = [0, 0, 10.0], moment = [0, -400.0, 0] }')  # fmt: skip
    case = f'preloads = [{{ name = "close", loads = [{", ".join(held)}] }}]\n'
    for preload_modes in (True, False):
        folder = tmp_path / str(preload_modes)
        folder.mkdir()
        more = f"preload_modes = {str(preload_modes).lower()}\n{case}\n[[bodies.interfaces]]"
        project = read_study(write_study(folder, text.replace("\n[[bodies.interfaces]]", more, 1)))
        store = ArtifactStore(folder / "store")
        Pipeline(STAGES).run(project, Target("analysis", "plates", "press"), store, folder)
        findings = find_findings(project, store, folder)
        if preload_modes:
            assert "mounted_state" not in {f.check for f in findings}
        else:
            found = _only(findings, "mounted_state")
            assert found.severity == "warning" and found.entity == ("analyses", 0) and "%" in found.sentence


def test_errors_of_reduced_equilibria(tmp_path):
    """What a run reports of its error: within the bounds, beyond them, and nothing."""
    project = read_study(write_study(tmp_path, STUDY))

    def found(report):
        return run_checks(CheckedProject(project, tmp_path, reports={"press": report}))

    small = {"motion": 0.009, "force": 0.04, "pressure": 0.19}
    assert "error_estimate" not in {f.check for f in found({"error_estimate": small})}
    off = _only(found({"error_estimate": {**small, "force": 0.5, "pressure": 1.0}}), "error_estimate")
    assert off.severity == "warning" and off.entity == ("analyses", 0)
    assert "the normal force by about 50 % and the pressure from pair to pair by about 100 %" in off.sentence
    assert "(motion by 0.9 %)" in off.sentence and "fe_correction" in off.hint
    none = _only(found({"no_error_estimate": "the tangent is singular."}), "error_estimate")
    assert none.severity == "note" and none.sentence.endswith("the tangent is singular.")


def test_what_weak_ties_carried(tmp_path):
    """A twentieth of the load is told, a hundredth is not; `tests/core/test_weak_ties.py` measures it."""
    project = read_study(write_study(tmp_path, STUDY))

    def found(share):
        return run_checks(
            CheckedProject(project, tmp_path, reports={"press": {"tie_shares": {"lap": share}}})
        )

    assert "tie_shares" not in {f.check for f in found(0.01)}
    much = _only(found(0.05), "tie_shares")
    assert much.severity == "warning" and much.entity == ("analyses", 0) and "5 %" in much.sentence


def test_what_sampled_joints_missed(tmp_path):
    """`tests/core/test_joint_sampling.py` measures it."""
    project = read_study(write_study(tmp_path, STUDY))

    def found(error):
        joints = {"lap": {"pairs": 42, "of": 2193, "states": 9, "tolerance": 0.02}}
        reports = {"press": {"sampling": {"error": error, "joints": joints}}}
        return run_checks(CheckedProject(project, tmp_path, reports=reports))

    assert "sampling" not in {f.check for f in found(0.049)}
    told = _only(found(0.08), "sampling")
    assert told.severity == "warning" and told.entity == ("analyses", 0)
    assert "42 of 2193 pairs in joint 'lap'" in told.sentence and "8 %" in told.sentence


def test_tries_of_steps_that_failed(tmp_path):
    """A twentieth of all tries is not told; what more of them forced is."""
    project = read_study(write_study(tmp_path, STUDY))
    report = {"steps": 95, "rejected_by_error": 0, "rejected_by_iteration": 5, "last_time": 1e-3}

    def found(**more):
        return run_checks(CheckedProject(project, tmp_path, reports={"press": {**report, **more}}))

    assert "failed_tries" not in {f.check for f in found()}
    told = _only(found(rejected_by_iteration=45, shortened_steps=40, shortened_time=8e-4), "failed_tries")
    assert told.severity == "note" and told.entity == ("analyses", 0)
    assert "45 of 140 tries of a time step did not converge" in told.sentence
    assert "2e-05 s for 80 % of the time" in told.sentence


def test_how_contacts_between_parts_went(tmp_path):
    """`tests/core/test_contact_results.py` measures it."""
    project = read_study(write_study(tmp_path, STUDY))
    quiet = {
        "parts": ["ball", "plates"], "overlap": 0.02, "overlapping_nodes": 3, "stored_at_start": 1e-6,
        "way_out": [0.0, 0.0, 0.02], "most_closed": 3,
    }  # fmt: skip

    def found(**more):
        report = {"contacts": {"hit": {**quiet, **more}}, "energy_balance": {"turned over": 1.0}}
        return run_checks(CheckedProject(project, tmp_path, reports={"press": report}))

    assert "contact_runs" not in {f.check for f in found()}
    told = _only(found(stored_at_start=0.5), "contact_runs")
    assert told.severity == "warning" and "50 %" in told.sentence and "(0, 0, 0.02) mm" in told.hint
    never = _only(found(most_closed=0), "contact_runs")
    assert never.severity == "note" and "'ball' and 'plates' never touch" in never.sentence


def test_corrections_that_have_not_ended(tmp_path):
    """One correction is not enough for a basis without joint modes."""
    text = (
        STUDY.replace("count = 6", "count = 0").replace("stiffness = 5000.0", "stiffness = 5e5")
        + """
[[analyses]]
kind = "fe_correction"
name = "better"
body = "plates"
corrects = "press"
accuracy = 1e-6
most_corrections = 1
"""
    )
    project, store = read_study(write_study(tmp_path, text)), ArtifactStore(tmp_path / "store")
    Pipeline(STAGES).run(project, Target("analysis", "plates", "better"), store, tmp_path)
    kinds = ("fe_correction", "doubtful_runs")
    found = [f for f in find_findings(project, store, tmp_path) if f.check in kinds]
    assert [(f.severity, f.entity[:2]) for f in found] == [
        ("warning", ("analyses", 1)),
        ("note", ("analyses", 1)),
    ]
    assert "The last of 1 corrections" in found[0].sentence and "joint modes" in found[1].hint


def test_a_correction_of_nothing_that_could_be_corrected(tmp_path):
    better = '[[analyses]]\nkind = "fe_correction"\nname = "better"\nbody = "plates"\ncorrects = "best"\n'
    found = _only(_findings(tmp_path, STUDY + better), "fe_correction")
    assert found.severity == "error" and found.entity == ("analyses", 1, "corrects")
    assert "corrects 'best'" in found.sentence and "press" in found.hint


def test_load_cases_that_are_not_there_and_do_not_add_up(tmp_path):
    """`tests/core/test_load_cases.py` has the supports."""
    more = '[[analyses]]\nkind = "envelope"\nname = "worst"\nbody = "plates"\ncases = ["press", "best"]\n'
    found = _only(_findings(tmp_path, STUDY + more), "load_cases")
    assert found.severity == "error" and found.entity == ("analyses", 1, "cases")
    assert "takes the load case 'best'" in found.sentence and "press" in found.hint
    more = (
        '[[analyses]]\nkind = "combination"\nname = "sum"\nbody = "plates"\n'
        'combinations = [{ name = "a", cases = [{ analysis = "press" }] }]\n'
    )
    found = _only(_findings(tmp_path, STUDY + more), "load_cases")
    assert found.severity == "error" and "contact in joint 'lap'" in found.sentence


def test_sweeps_of_decisions_that_are_not_there_or_cannot_be(tmp_path):
    """`tests/core/test_sweeps.py` has the others."""
    friction = "bodies.plates.joints.lap.contact_law.stiffness"
    for name, value, words in ((friction + "e", 1.0, "no decision"), (friction, -1.0, "cannot set")):
        more = (
            '[[analyses]]\nkind = "sweep"\nname = "more"\nanalysis = "press"\nresponses = [{ quantity = "tip uz" }]\n'
            f'variations = [{{ decision = "{name}", values = [{value}] }}]\n'
        )
        found = _only(_findings(tmp_path, STUDY + more), "sweeps")
        assert found.severity == "error" and found.entity == ("analyses", 1)
        assert words in found.sentence and found.hint


SHEETS = """
name = "sheets"
[[bodies]]
name = "sheets"
model = { path = "sheets.inp" }
[[bodies.joints]]
name = "lap"
master = { kind = "deck_surface", name = "LOWER_NODES" }
slave = { kind = "deck_surface", name = "UPPER_NODES" }
"""


def test_surfaces_with_both_sides_of_shells(tmp_path):
    write_sheet_deck(tmp_path / "sheets.inp")
    (tmp_path / "study.toml").write_text(SHEETS)
    project = read_study(tmp_path / "study.toml")
    found = find_findings(project, ArtifactStore(tmp_path / "store"), tmp_path, compute=True)
    told = [f.sentence for f in found if f.check == "shell_sides"]
    assert len(told) == 2
    assert "master surface: of 72 shells it holds both sides; the one that faces the other" in told[0]
    assert not [f for f in found if f.check == "joint_surfaces"]  # shells have no inside to look into
    alone = project.with_(bodies=(project.bodies[0].with_(joints=()),))
    found = find_findings(alone, ArtifactStore(tmp_path / "store"), tmp_path, compute=True)
    (told,) = [f.sentence for f in found if f.check == "shell_sides"]
    assert told.endswith("both sides of shells are in the deck's surfaces LOWER_NODES, UPPER_NODES.")


def test_friction_that_is_switched_off_in_statics(tmp_path):
    text = STUDY.replace('kind = "static"', 'kind = "static"\nfriction = false').replace(
        "stiffness = 5000.0 }", 'stiffness = 5000.0 }\nfriction_law = { kind = "coulomb" }'
    )
    found = _only(_findings(tmp_path, text), "static_friction")
    assert found.severity == "warning" and "slides freely" in found.sentence


def test_a_frequency_response_loaded_where_nothing_is(tmp_path):
    more = '\n[[analyses]]\nkind = "frequency_response"\nname = "shaken"\nbody = "plates"\nloads = [LOAD]\n'
    more = more.replace("LOAD", '{ interface = "nowhere", force = [0.0, 0.0, 1.0] }')
    found = _only(_findings(tmp_path, STUDY + more), "frequency_response")
    assert found.severity == "error" and "no interface node or point called 'nowhere'" in found.sentence


def test_a_reduction_study_of_nodes_that_are_not_there(tmp_path):
    more = (
        '\n[[analyses]]\nkind = "reduction_study"\nname = "compared"\nbody = "plates"\ninterfaces = ["rim"]\n'
    )
    found = _only(_findings(tmp_path, STUDY + more), "reduction_advice")
    assert found.severity == "error" and "'rim'" in found.sentence


def test_a_deck_that_reads_from_elsewhere(tmp_path):
    folder, other = tmp_path / "study", tmp_path / "other.inp"
    folder.mkdir()
    other.write_text("** nothing of yours\n")
    found = _only(_findings(folder, extra="*INCLUDE, INPUT=../other.inp"), "files_elsewhere")
    assert found.severity == "warning" and str(other) in found.sentence


def test_contact_with_other_parts(tmp_path):
    """More of both is in tests/core/test_contact_findings.py."""
    surface = (
        '[[bodies.contact_surfaces]]\nname = "lid"\nsurface = { kind = "deck_set", name = "NOWHERE" }\n\n'
    )
    system = (
        '[[systems]]\nname = "drop"\nparts = [{ kind = "rigid", name = "ball" }]\n'
        'contacts = [{ name = "hit", master = "ball.skin", slave = "plates.lid" }]\n'
    )
    findings = _findings(tmp_path, STUDY.replace("[[analyses]]", f"{surface}[[analyses]]", 1) + system)
    missing = [f for f in findings if f.check == "contact_surfaces" and f.severity == "error"]
    assert len(missing) == 1 and missing[0].entity == ("bodies", 0, "contact_surfaces", 0)
    assert "NOWHERE" in missing[0].sentence
    named = [f for f in findings if f.check == "part_contacts"]
    assert [f.entity[-1] for f in named] == ["master", "slave"]


def test_ties_that_leave_nodes_loose_or_find_none(tmp_path):
    """`tests/core/test_tied_joints.py` looks at each of the sentences."""
    tied = STUDY.replace('name = "lap"', 'name = "lap"\ntreatment = "tied"')
    assert {f.severity for f in _findings(tmp_path, tied) if f.check == "ties"} == {"warning"}
    assert [f.severity for f in _findings(tmp_path, tied, gap=0.5) if f.check == "ties"] == ["error"]


def test_steps_in_a_row(tmp_path):
    steps = (
        '[[analyses]]\nkind = "steps"\nname = "row"\nbody = "plates"\nsupport = "hold"\n'
        'steps = [{ kind = "tighten", bolt = "M8", force = 1.0 }, '
        '{ kind = "load", loads = [{ interface = "top", force = [0.0, 0.0, 1.0] }] }]\n'
    )
    found = [f for f in _findings(tmp_path, STUDY + steps) if f.check == "steps"]
    assert [f.entity for f in found] == [
        ("analyses", 1, "steps", 0, "bolt"), ("analyses", 1, "steps", 1, "loads", 0),
    ]  # fmt: skip
    assert "no bolt called 'M8'" in found[0].sentence and "'top'" in found[1].sentence


def test_imposed_displacements(tmp_path):
    text = (
        '[[analyses]]\nkind = "static"\nname = "moved"\nbody = "plates"\nsupport = "hold"\n'
        'loads = [{ interface = "tip", force = [0.0, 1.0, 5.0] }]\n'
        'displacements = [{ interface = "top", ux = 1.0 }, { interface = "hold", ux = 1.0 }, { interface = "tip" }, '
        '{ interface = "tip", uz = 0.1 }, { interface = "tip", uz = 0.2 }]\n'
        '[[analyses]]\nkind = "static"\nname = "free"\nbody = "plates"\n'
        'displacements = [{ interface = "tip", uz = 0.1 }]\n'
    )
    found = [f for f in _findings(tmp_path, STUDY + text) if f.check == "displacements"]
    at = {(f.severity, f.entity[1:]): f.sentence for f in found}
    assert len(at) == len(found) == 6 and all(f.hint for f in found)
    assert "'top', which is no interface node" in at["error", (1, "displacements", 0)]
    assert "'hold', which holds the body" in at["error", (1, "displacements", 1)]
    assert "every component free" in at["warning", (1, "displacements", 2)]
    assert "Two displacements give uz" in at["error", (1, "displacements", 4)]
    assert "along uz, where its displacement is given" in at["warning", (1, "loads", 0)]
    assert "held nowhere" in at["error", (2, "displacements", 0)]


def test_a_system_is_shaken_where_no_marker_is(tmp_path):
    more = (
        '[[systems]]\nname = "drop"\nparts = [{ kind = "rigid", name = "ball" }]\n'
        '[[analyses]]\nkind = "system_frequency_response"\nname = "shaken"\nsystem = "drop"\n'
        'loads = [{ marker = "ball.top", force = [0.0, 0.0, 1.0] }]\n'
    )
    found = [f for f in _findings(tmp_path, STUDY + more) if f.check == "system_frequency_response"]
    assert "no marker called 'ball.top'" in found[0].sentence and "ball.frame" in found[0].hint


def test_a_reduced_body_that_is_to_have_what_only_its_model_could_give(tmp_path):
    """`tests/core/test_reduced_body_files.py` has the others."""
    (tmp_path / "plates.npz").write_bytes(b"")
    text = STUDY.replace("plates.inp", "plates.npz").replace('kind = "static"', 'kind = "unreduced_static"')
    text = text.replace(
        "[[analyses]]", '[[bodies.materials]]\nkind = "library"\nname = "steel"\n\n[[analyses]]', 1
    )
    project = read_study(write_study(tmp_path, text))
    found = [f for f in run_checks(CheckedProject(project, tmp_path)) if f.check == "reduced_body"]
    assert [f.entity for f in found] == [("bodies", 0), ("analyses", 0)]
    assert "a material cannot be added" in found[0].sentence and "needs the FE matrices" in found[1].sentence


def test_nothing_is_computed_unless_asked(tmp_path):
    project = read_study(write_study(tmp_path))
    find_findings(project, ArtifactStore(tmp_path / "store"), tmp_path)
    assert not list((tmp_path / "store").glob("*.h5"))


def test_findings_are_in_the_order_of_the_project():
    static = [{"kind": "static", "name": f"run {i}", "body": "gone", "support": "a"} for i in range(12)]
    body = {"name": "one", "model": {"path": "one.inp"}}
    words = {"bodies": [body, {**body, "name": "two"}], "analyses": static, "systems": [{"name": "none"}]}
    found = run_checks(CheckedProject(build(Project, words), Path()))
    lists = [f.entity[0] for f in found if f.severity == "error" and f.entity]
    assert lists == sorted(lists, key=["bodies", "systems", "analyses"].index)
    bodiless = [f for f in found if f.check == "analyses_complete" and "body" in f.entity]
    assert [f.entity[1] for f in bodiless] == [*range(12)]


def test_errors_come_first_and_places_have_names(tmp_path):
    project = read_study(write_study(tmp_path))
    findings = run_checks(CheckedProject(project, tmp_path / "elsewhere"))
    order = ["error", "warning", "note"]
    ranks = [order.index(f.severity) for f in findings]
    assert ranks == sorted(ranks)
    assert entity_text(project, ("bodies", 0, "joints", 0, "slave")) == "body plates, joint lap, slave"
    assert entity_text(project, ()) == "project"
