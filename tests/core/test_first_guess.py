"""What importing a deck proposes: interface nodes at what it holds, and a preload case for its bolts."""

from dataclasses import replace

import numpy as np
import pytest

from faying.errors import ModelError
from faying.fem.bolt_cuts import with_cut_bolt
from faying.fem.model import ContactProposal, Coupling, DeckCase, DeckSupport, DeckSurface, PointMass
from faying.fem.supports import with_supports
from faying.project.first_guess import guessed_analyses, with_guesses
from faying.project.specs import BodySpec, ModelSpec
from support.boxes import box

BODY = BodySpec(name="bolt", model=ModelSpec(path="bolt.inp"))


def held(nodes: np.ndarray, *components: int) -> DeckSupport:
    """Return what holds nodes at rest in some components."""
    rows, which = (each.ravel() for each in np.meshgrid(nodes, components))
    return DeckSupport(rows, which, np.eye(3)[(which - 1) % 3], np.full(len(rows), -1))


def test_bolts_become_a_preload_case_and_what_is_held_stands_on_the_ground() -> None:
    plain = box("hex8_incompatible", (1, 1, 4), (1.0, 1.0, 4.0))
    plain = replace(plain, deck_support=held(plain.node_sets["ZMIN"], 1, 2, 3))
    cut = with_cut_bolt(plain, "M8", np.array([1]), np.array([1]))
    cut = replace(cut, bolts=(replace(cut.bolts[0], force=500.0),))
    guessed = with_guesses(BODY, cut)
    (case,) = guessed.preloads
    assert [(load.kind, load.bolt, load.force) for load in case.loads] == [("bolt_force", "M8", 500.0)]
    # The middles of the cut are no interface nodes.
    assert [i.node_set for i in guessed.interfaces] == ["supports"] and guessed.deck_supports
    made = with_supports(cut, (), guessed.deck_supports)
    assert made.node_sets["supports"].tolist() == [len(cut.nodes)]
    with pytest.raises(ModelError, match="The deck holds no nodes"):
        with_supports(replace(cut, deck_support=None), (), True)


def test_a_deck_that_holds_one_reference_node_has_it_as_the_support() -> None:
    plain = box("hex8_incompatible", (1, 1, 4), (1.0, 1.0, 4.0))
    nodes, node = plain.node_sets["ZMIN"], np.array([len(plain.nodes)])
    plain = replace(plain, nodes=np.vstack([plain.nodes, [0, 0, 5]]), node_ids=np.append(plain.node_ids, 900))
    coupling = Coupling("foot", "kinematic", int(node[0]), nodes, (1, 2, 3), np.ones(len(nodes)))
    model = replace(
        plain, couplings=(coupling,), node_sets={**plain.node_sets, "REF": node},
        deck_support=held(node, 1, 2, 3, 4, 5, 6), deck_cases=(DeckCase("pull"),),
    )  # fmt: skip
    guessed = with_guesses(BODY, model)
    assert not guessed.deck_supports and [i.name for i in guessed.interfaces] == ["ref"]
    assert [each.support for each in guessed_analyses(guessed, model)] == ["ref"]
    hinged = replace(model, deck_support=held(node, 1, 2, 3))
    guessed = with_guesses(BODY, hinged)
    assert guessed.deck_supports and [i.name for i in guessed.interfaces] == ["supports"]


def test_a_node_becomes_one_interface_node_and_no_name_is_given_twice() -> None:
    plain = box("hex8_incompatible", (1, 1, 4), (1.0, 1.0, 4.0))
    one, other = (plain.node_sets[name][[0]] for name in ("ZMIN", "ZMAX"))
    couplings = tuple(
        Coupling(f"c{k}", "kinematic", int(node[0]), nodes, (1, 2, 3), np.ones(len(nodes)))
        for k, (node, nodes) in enumerate(((one, plain.node_sets["ZMIN"]), (other, plain.node_sets["ZMAX"])))
    )
    whole = np.zeros(1, np.int64)
    surface = DeckSurface("A", whole, whole, whole[:0])
    sets = {"REF_TIP": one, "TIP": one, "tip": other}
    model = replace(
        plain, node_sets=sets, couplings=couplings,
        surfaces=dict.fromkeys(("A", "B", "LAP_MASTER", "LAP-MASTER", "LAP_SLAVE", "LAP-SLAVE"), surface),
        contacts=(ContactProposal("lap", "A", "B"),) * 2,
        deck_support=held(np.flatnonzero(plain.nodes[:, 2] == 2.0)[:1], 1),
        deck_cases=(DeckCase("pull"), DeckCase("pull")),
    )  # fmt: skip
    guessed = with_guesses(BODY, model)
    assert [(i.name, i.node_set) for i in guessed.interfaces] == [
        ("tip", "REF_TIP"),
        ("tip 2", "tip"),
        ("supports", "supports"),
    ]
    assert [joint.name for joint in guessed.joints] == ["lap", "lap 2", "lap 3", "lap 4"]
    found = guessed_analyses(guessed, model, ["pull"])
    assert [(each.name, each.support) for each in found] == [("pull 2", "supports"), ("pull 3", "supports")]


def test_reference_nodes_without_a_node_set_are_interface_nodes() -> None:
    """RBE2, RBE3 and couplings to surfaces name their reference node by its number."""
    plain = box("hex8_incompatible", (1, 1, 2), (1.0, 1.0, 2.0))
    n = len(plain.nodes)
    ends = (("RBE2 20", "kinematic", n, "ZMIN"), ("RBE3 21", "distributing", n + 1, "ZMAX"))
    couplings = tuple(
        Coupling(
            name, kind, row, plain.node_sets[side], (1, 2, 3, 4, 5, 6), np.ones(len(plain.node_sets[side]))
        )
        for name, kind, row, side in ends
    )
    nodes = np.vstack([plain.nodes, [[0.5, 0.5, -1.0], [0.5, 0.5, 3.0]]])
    model = replace(plain, nodes=nodes, node_ids=np.append(plain.node_ids, [901, 902]), couplings=couplings)
    guessed = with_guesses(BODY, model)
    assert [(each.name, each.node_set, each.node) for each in guessed.interfaces] == [
        ("RBE2 20", "", 901),
        ("RBE3 21", "", 902),
    ]
    # One that carries a mass is no place to hold the body at, and one with a set is known by that.
    mass = PointMass("CONM2 1", n + 1, 2.0, np.zeros((3, 3)), np.zeros(3))
    weighted = replace(model, point_masses=(mass,), node_sets={**model.node_sets, "REF_LOW": np.array([n])})
    assert [(each.name, each.node_set) for each in with_guesses(BODY, weighted).interfaces] == [
        ("low", "REF_LOW")
    ]
