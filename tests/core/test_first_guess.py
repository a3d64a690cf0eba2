"""What importing a deck proposes: interface nodes at what it holds, and a preload case for its bolts."""

from dataclasses import replace

import numpy as np

from faying.fem.added_couplings import with_couplings
from faying.fem.bolt_cuts import with_cut_bolt
from faying.fem.model import ContactProposal, Coupling, DeckCase, DeckSurface, SupportProposal
from faying.project.first_guess import guessed_analyses, with_guesses
from faying.project.specs import BodySpec, ModelSpec
from support.boxes import box

BODY = BodySpec(name="bolt", model=ModelSpec(path="bolt.inp"))


def test_bolts_become_a_preload_case_and_held_faces_interface_nodes() -> None:
    plain = box("hex8_incompatible", (1, 1, 4), (1.0, 1.0, 4.0))
    plain = replace(
        plain, supports=(SupportProposal("ZMIN"), SupportProposal("ZMAX"), SupportProposal("EDGE"))
    )
    plain = replace(plain, node_sets={**plain.node_sets, "EDGE": plain.node_sets["XMIN"][[0, 2, 4]]})
    cut = with_cut_bolt(plain, "M8", np.array([1]), np.array([1]))
    cut = replace(cut, bolts=(replace(cut.bolts[0], force=500.0),))
    guessed = with_guesses(BODY, cut)
    (case,) = guessed.preloads
    assert [(load.kind, load.bolt, load.force) for load in case.loads] == [("bolt_force", "M8", 500.0)]
    # The middles of the cut are no interface nodes; nodes without a face between them make none.
    assert [i.node_set for i in guessed.interfaces] == ["zmin held", "zmax held"]
    made = with_couplings(cut, guessed.couplings)
    assert made.node_sets["zmin held"].tolist() == [len(cut.nodes)]


def test_a_face_that_is_coupled_already_is_left_alone() -> None:
    plain = box("hex8_incompatible", (1, 1, 4), (1.0, 1.0, 4.0))
    nodes = plain.node_sets["ZMIN"]
    coupling = Coupling(
        "foot", "kinematic", int(plain.node_sets["ZMAX"][0]), nodes, (1, 2, 3), np.ones(len(nodes))
    )
    held = replace(plain, couplings=(coupling,), supports=(SupportProposal("ZMIN"),))
    assert with_guesses(BODY, held).couplings == () and with_guesses(BODY, plain).interfaces == ()


def test_a_node_becomes_one_interface_node_and_no_name_is_given_twice() -> None:
    plain = box("hex8_incompatible", (1, 1, 4), (1.0, 1.0, 4.0))
    one, other = (plain.node_sets[name][[0]] for name in ("ZMIN", "ZMAX"))
    nodes = plain.node_sets["XMIN"]
    couplings = tuple(
        Coupling(f"c{k}", "kinematic", int(node[0]), nodes, (1, 2, 3), np.ones(len(nodes)))
        for k, node in enumerate((one, other))
    )
    whole = np.zeros(1, np.int64)
    surface = DeckSurface("A", whole, whole, whole[:0])
    sets = {"REF_TIP": one, "TIP": one, "tip": other}
    model = replace(
        plain, node_sets=sets, couplings=couplings,
        surfaces=dict.fromkeys(("A", "B", "LAP_MASTER", "LAP-MASTER", "LAP_SLAVE", "LAP-SLAVE"), surface),
        contacts=(ContactProposal("lap", "A", "B"),) * 2,
        deck_cases=(DeckCase("pull", (), "TIP"), DeckCase("pull", (), "tip")),
    )  # fmt: skip
    guessed = with_guesses(BODY, model)
    assert [(i.name, i.node_set) for i in guessed.interfaces] == [("tip", "REF_TIP"), ("tip 2", "tip")]
    assert [joint.name for joint in guessed.joints] == ["lap", "lap 2", "lap 3", "lap 4"]
    found = guessed_analyses(guessed, model, ["pull"])
    assert [(each.name, each.support) for each in found] == [("pull 2", "tip"), ("pull 3", "tip 2")]
