"""What the properties tell of a run."""

from types import SimpleNamespace

from faying_app.item_models.properties import _analysis


def test_long_lists_are_cut_and_what_a_table_tells_is_left_to_it():
    flanks = {"mesh": {"part": "wheel", "surface": "flanks", "path": [0.5] * 500}}
    report = {"flanks": flanks, "steps": 8, "forces": {"x": [1.0 / 3.0] * 500}, "few": [1.0, 2.0]}
    results = SimpleNamespace(n_frames=9, complete=True, report=report)
    context = SimpleNamespace(computed=SimpleNamespace(results=lambda _name: results))
    facts = dict(_analysis(context, "mesh"))
    assert facts == {
        "Frames": "9", "Steps": "8", "Forces": f"x {', '.join(['0.33333'] * 8)}, … (500 in all)", "Few": "1, 2",
    }  # fmt: skip
