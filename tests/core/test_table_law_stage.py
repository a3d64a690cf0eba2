"""A contact law from a file: the study names it beside itself, and a changed table makes results stale."""

from contextlib import closing

import pytest

import faying
from faying import edits
from faying.exporters.earlier import EARLIER
from faying.project.pipeline import Pipeline
from faying.project.stage import Target
from faying.project.stages import STAGES
from faying.project.store import ArtifactStore
from faying.project.study import read_study
from support.plate_deck import STUDY, write_study

TABLE = "gap,pressure\n0,0\n-0.001,5\n-0.002,10\n"


def test_a_table_beside_the_study(tmp_path) -> None:
    text = STUDY.replace(
        '{ kind = "linear_penalty", stiffness = 5000.0 }', '{ kind = "tabulated", path = "law.csv" }'
    )
    (tmp_path / "law.csv").write_text(TABLE, encoding="utf-8")
    project, store = read_study(write_study(tmp_path, text)), ArtifactStore(tmp_path / "store")
    pipeline, target = Pipeline(STAGES), Target("analysis", "plates", "press")
    soft = pipeline.run(project, target, store).open().curve("lap largest penetration")[-1]
    assert pipeline.state(project, target, store, tmp_path).status == "ready"

    # The table is straight: the same as a linear law of 5000 N/mm³.
    straight = read_study(write_study(tmp_path, STUDY))
    linear = pipeline.run(straight, target, store).open().curve("lap largest penetration")[-1]
    assert soft == pytest.approx(linear, rel=1e-6)

    (tmp_path / "law.csv").write_text(TABLE.replace("10", "11"), encoding="utf-8")
    assert pipeline.state(project, target, store, tmp_path).status != "ready"
    harder = pipeline.run(project, target, store).open().curve("lap largest penetration")[-1]
    assert harder != soft


def test_fields_of_results_read_the_table_from_the_folder_of_the_project(tmp_path) -> None:
    (tmp_path / "law.csv").write_text(TABLE, encoding="utf-8")
    law = {"kind": "tabulated", "path": "law.csv"}
    at = ("bodies", 0, "joints", 0, "contact_law")
    project = edits.set_value(at, law)(read_study(write_study(tmp_path, STUDY)))
    with faying.Session(project, tmp_path / "store", base=tmp_path) as session:
        pressure = session.solve("press").field("pressure")
        assert pressure.max() > 0.0
        response = {"quantity": "pressure", "take": "maximum", "joint": "lap"}
        sweep = {
            "kind": "sweep", "name": "sweep", "analysis": "press", "processes": 1, "responses": [response],
            "variations": [{"decision": "analyses.press.loads.tip.force.z", "values": [-20.0]}],
        }  # fmt: skip
        session.apply(edits.add_analysis(sweep))
        session.run()
        with closing(session.results("sweep")) as results:
            assert not results.report["not_computed"]
        session.apply(edits.set_value(("analyses", 0, "loads", 0, "force"), (0.0, 0.0, 1.0)))
        shown = session.shown(f"press{EARLIER}")
        assert shown.context.contact_laws["lap"].pressure(pressure[:1] * 0.0)[0] == pytest.approx([0.0])
