"""The pipeline's machinery with a table of synthetic stages."""

import numpy as np
import pytest

from faying.errors import Cancelled, ModelError, SolveError
from faying.progress import CancelFlag
from faying.project import edits
from faying.project.memory import Memory
from faying.project.stage import Target
from faying.project.store import ArtifactStore
from support import synthetic_stages as synthetic
from support.synthetic_stages import PIPELINE, bar

SUM, RUN = Target("sum", "bar"), Target("run", "bar", "swing")


@pytest.fixture
def store(tmp_path):
    synthetic.COMPUTED.clear()
    return ArtifactStore(tmp_path / "artifacts")


def test_computes_what_is_missing_and_nothing_twice(store):
    project = bar(deck="5", count=2)
    assert PIPELINE.run(project, SUM, store)[0] == 7.0
    assert synthetic.COMPUTED == ["source", "product", "sum"]
    assert PIPELINE.run(project, SUM, store)[0] == 7.0
    assert synthetic.COMPUTED == ["source", "product", "sum"]


def test_a_decision_recomputes_only_what_depends_on_it_and_going_back_finds_the_old_outcome(store):
    project = bar()
    PIPELINE.run(project, SUM, store)
    synthetic.COMPUTED.clear()
    other = edits.set_value(("bodies", 0, "joint_modes", "count"), 9)(project)
    assert PIPELINE.run(other, SUM, store)[0] == 14.0
    assert synthetic.COMPUTED == ["product", "sum"]  # product is never stored
    synthetic.COMPUTED.clear()
    assert PIPELINE.run(project, SUM, store)[0] == 7.0
    assert synthetic.COMPUTED == []


def test_memory_keeps_what_is_not_stored(store):
    memory = Memory()
    PIPELINE.run(bar(), SUM, store, memory=memory)
    synthetic.COMPUTED.clear()
    PIPELINE.run(bar(count=3), SUM, store, memory=memory)
    assert synthetic.COMPUTED == ["sum"]


def test_another_store_gets_what_memory_has(store, tmp_path):
    memory, other = Memory(), ArtifactStore(tmp_path / "other")
    PIPELINE.run(bar(), SUM, store, memory=memory)
    synthetic.COMPUTED.clear()
    PIPELINE.run(bar(count=3), SUM, other, memory=memory)
    PIPELINE.run(bar(), Target("source", "bar"), other, memory=memory)
    assert synthetic.COMPUTED == ["sum"]
    assert PIPELINE.state(bar(), Target("source", "bar"), other).status == "ready"
    assert ArtifactStore(tmp_path / "other").read(PIPELINE.key_of(bar(), Target("source", "bar")))[0] == 5.0


def test_what_memory_has_comes_with_what_went_into_it(store, tmp_path):
    """As when a window goes on to a project in another place: the outcome and what it was made of are shown."""
    memory = Memory()
    PIPELINE.run(bar(), SUM, store, memory=memory)
    synthetic.COMPUTED.clear()
    for name, target in (("sum", SUM), ("product", Target("product", "bar"))):
        other = ArtifactStore(tmp_path / name)
        PIPELINE.run(bar(), target, other, memory=memory)
        assert PIPELINE.state(bar(), Target("source", "bar"), other).status == "ready"
    assert synthetic.COMPUTED == []
    memory.drop(PIPELINE.key_of(bar(), Target("source", "bar")))  # what is forgotten is not computed for that
    PIPELINE.run(bar(), SUM, ArtifactStore(tmp_path / "less"), memory=memory)
    assert synthetic.COMPUTED == []


def test_what_is_made_at_once_is_made_again_rather_than_missed(store, tmp_path, monkeypatch):
    """As contact pairs that memory has forgotten before the body that they went into: it could not be shown."""
    memory, source = Memory(), Target("source", "bar")
    PIPELINE.run(bar(), SUM, store, memory=memory)
    monkeypatch.setattr(type(PIPELINE.stages["source"]), "weight", 0.3)
    memory.drop(PIPELINE.key_of(bar(), source))
    synthetic.COMPUTED.clear()
    other = ArtifactStore(tmp_path / "other")
    PIPELINE.run(bar(), SUM, other, memory=memory)
    assert synthetic.COMPUTED == ["source"]
    assert PIPELINE.state(bar(), source, other).status == "ready"


def test_names_do_not_count_for_keys(store):
    project = bar()
    key = PIPELINE.key_of(project, RUN)
    renamed = edits.rename(("bodies", 0), "beam")(edits.rename(("analyses", 0), "swung")(project))
    assert PIPELINE.key_of(renamed, Target("run", "beam", "swung")) == key


def test_plan_names_the_steps_and_a_ready_target_is_one_ready_step(store):
    project = bar()
    assert [(s.target.stage, s.ready) for s in PIPELINE.plan(project, RUN, store)] == [
        ("source", False), ("product", False), ("sum", False), ("run", False),
    ]  # fmt: skip
    PIPELINE.run(project, RUN, store)
    assert [(s.target.stage, s.ready) for s in PIPELINE.plan(project, RUN, store)] == [("run", True)]


def test_states_tell_missing_ready_stale_with_reason_and_partial(store):
    project = bar()
    assert PIPELINE.state(project, SUM, store).status == "missing"
    PIPELINE.run(project, RUN, store)
    assert PIPELINE.state(project, SUM, store).status == "ready"
    assert PIPELINE.state(project, RUN, store).status == "ready"

    other = edits.set_value(("bodies", 0, "joint_modes", "count"), 30)(project)
    states = PIPELINE.states(other, store)
    assert states[Target("source", "bar")].status == "ready"
    assert states[SUM].status == "stale"
    assert states[SUM].why == ("joint modes.count: 2 → 30",)
    assert states[RUN].status == "stale"
    assert states[RUN].why == ("joint modes.count: 2 → 30",)  # the cause, through the artifact in between
    assert PIPELINE.state(project, RUN, store).status == "ready"

    class StopAtFive(CancelFlag):
        def report(self, fraction, text="", **values):
            if text == "run swing: frame" and fraction > 0.9:
                raise Cancelled

    with pytest.raises(Cancelled):
        PIPELINE.run(other, RUN, store, progress=StopAtFive())
    assert PIPELINE.state(other, RUN, store).status == "partial"
    place = store.results(PIPELINE.key_of(other, RUN))
    results = place.open()
    assert not place.complete and 0 < results.n_frames < 35
    results.close()
    PIPELINE.run(other, RUN, store)
    assert PIPELINE.state(other, RUN, store).status == "ready"


def test_results_value_is_their_place_and_is_complete(store):
    place = PIPELINE.run(bar(), RUN, store)
    results = place.open()
    assert place.complete and results.n_frames == 7 and results.report == {"frames": 7}
    results.close()


def test_value_never_computes(store):
    assert PIPELINE.value(bar(), SUM, store) is None
    PIPELINE.run(bar(), SUM, store)
    assert PIPELINE.value(bar(), SUM, store)[0] == 7.0


def test_progress_rises_to_one_and_each_step_is_told(store):
    seen, steps = [], []

    class Watch:
        def report(self, fraction, text="", **values):
            seen.append((fraction, text))

    def on_step(step, seconds):
        steps.append(step.target.stage)

    PIPELINE.run(bar(), RUN, store, progress=Watch(), on_step=on_step)
    fractions = [f for f, _ in seen]
    assert fractions == sorted(fractions) and fractions[-1] == 1.0
    assert steps == ["source", "product", "sum", "run"]
    assert any(text.startswith("run swing") for _, text in seen)


def test_a_failing_stage_keeps_what_was_finished(store):
    with pytest.raises(SolveError, match="no solution"):
        PIPELINE.run(bar(joints=("fail",)), Target("trial", "bar", "fail"), store)
    assert PIPELINE.state(bar(joints=("fail",)), Target("trial", "bar", "fail"), store).status == "missing"


def test_a_damaged_need_is_computed_again(store):
    project = bar()
    PIPELINE.run(project, SUM, store)
    path = store.artifact_path(PIPELINE.key_of(project, Target("source", "bar")))
    path.write_bytes(path.read_bytes()[:-200])
    synthetic.COMPUTED.clear()
    assert PIPELINE.run(bar(count=4), SUM, store)[0] == 9.0
    assert synthetic.COMPUTED == ["source", "product", "sum"]


def test_a_damaged_target_is_computed_again(store):
    """The file opens, but what is in it does not read back."""
    import h5py

    project = bar()
    PIPELINE.run(project, SUM, store)
    with h5py.File(store.artifact_path(PIPELINE.key_of(project, SUM)), "r+") as file:
        del file["value"]
        file.create_group("value").attrs["type"] = "record"
    assert PIPELINE.run(project, SUM, store)[0] == 7.0


def test_unknown_stage_is_a_sentence():
    with pytest.raises(ModelError, match="no stage called 'nonsense'"):
        PIPELINE.targets_of(bar(), "nonsense")


def test_memory_forgets_the_least_recently_used():
    memory = Memory(limit=2000)
    for name in "abc":
        memory.put(name, np.zeros(100))
        if "a" in memory:
            memory.get("a")
    assert "a" in memory and "b" not in memory and "c" in memory
    assert memory.size == 1600


def test_what_two_values_share_counts_once():
    """As matrices and the interior problem that holds them: it was pushed out with its factor, which came twice."""
    memory, shared = Memory(limit=2000), np.zeros(150)
    memory.put("matrices", (shared,))
    memory.put("interior", {"matrices": shared, "dofs": np.zeros(10)})
    memory.put("modes", np.zeros(40))
    assert all(key in memory for key in ("matrices", "interior", "modes")) and memory.size == 1600
    memory.drop("matrices")
    assert memory.size == 1600
    memory.put("more", np.zeros(100))
    assert "interior" not in memory and memory.size == 1120


def test_recipes_of_another_project_are_used_again_only_where_they_would_be_the_same():
    """A number that is written otherwise has another key, also where Python takes both for equal."""
    from faying.project.execution import _same

    for one, other in (((1,), (1.0,)), ((0.0,), (-0.0,)), ((True,), (1,)), ({"a": 1}, {"b": 1}), ((1,), [1])):
        assert not _same(one, other), (one, other)
    former = [bar(deck=deck, count=count) for deck in ("5", "6") for count in (1, 2, 3)]
    for project in [*former, *former]:
        targets = PIPELINE.targets(project)
        fresh = type(PIPELINE)(PIPELINE.stages.values(), PIPELINE._code)
        assert [PIPELINE.key_of(project, t) for t in targets] == [fresh.key_of(project, t) for t in targets]
    before = {target: PIPELINE.recipe_of(former[0], target) for target in PIPELINE.targets(former[0])}
    other = edits.set_value(("bodies", 0, "joint_modes", "count"), 9)(former[0])
    again = {target: PIPELINE.recipe_of(other, target) for target in PIPELINE.targets(other)}
    same = {target.stage for target in before if again[target] is before[target]}
    assert same == {"source", "product"}
