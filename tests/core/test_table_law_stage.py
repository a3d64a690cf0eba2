"""A contact law from a file: the study names it beside itself, and a changed table makes results stale."""

import pytest

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
