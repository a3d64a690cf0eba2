"""Tied sheets, sheets without contact, and joint modes side by side: thesis chapter 1, figures 1.2 and 1.3."""

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from faying.examples import ExampleRun
from faying.examples.error_curves import percent
from faying.examples.friction_bar_deck import WIDE_HOLES, write_friction_bar
from faying.examples.measured import BarMotion, with_body, with_joint_modes
from faying.examples.projects import friction_bar, project_of
from faying.examples.tables import Table
from faying.progress import PartialProgress, Progress
from faying.project.specs import Project
from faying.project.store import ArtifactStore
from faying.studies import StatementStudy, studies
from faying.studies._bars import QUICK_SIZE, SIZE
from faying.studies.statements import Judged, Statement, every, less, more, statement_table

TIED, NONE, MODES = "tied", "no contact", "joint modes"
_SWING, _BENT, _FULL = "swing", "bent", "bent, unreduced"
_DURATION, _QUICK_DURATION, _INTERVAL = 0.1, 0.03, 2.5e-4  # s
_FORCE = 50.0  # N

Found = Mapping[str, Mapping[str, float]]


def _deflections(found: Found) -> Judged:
    tips = {name: found[name]["tip"] for name in (TIED, MODES, NONE)}
    told = ", ".join(f"{name} {tip:.4g} mm" for name, tip in tips.items())
    return told, more(tips[NONE], 1.5 * tips[TIED])


def _motions(found: Found) -> Judged:
    told = ", ".join(
        f"{name} {found[name]['largest']:.4g} mm every {1e3 * found[name]['period']:.3g} ms"
        for name in (TIED, MODES, NONE)
    )
    periods = [found[name]["period"] for name in (TIED, NONE)]
    return told, more(periods[1], 1.1 * periods[0])


def _between(found: Found) -> Judged:
    tips = [found[name]["tip"] for name in (TIED, MODES, NONE)]
    shares = [(tips[1] - tips[i]) / tips[1] for i in (0, 2)]
    told = f"tied {percent(-shares[0])}, no contact {percent(-shares[1])} beside joint modes"
    return told, every(more(shares[0], 0.05), more(-shares[1], 0.05))


def _penetrate(found: Found) -> Judged:
    depths = [found[name]["penetration"] for name in (NONE, MODES)]
    told = f"{1e3 * depths[0]:.4g} µm without contact, {1e3 * depths[1]:.3g} µm with joint modes"
    return told, more(depths[0], 10.0 * depths[1])


def _cannot_separate(found: Found) -> Judged:
    gaps = [found[name]["gap"] for name in (TIED, MODES)]
    told = f"{1e3 * gaps[0]:.3g} µm tied, {1e3 * gaps[1]:.4g} µm with joint modes"
    return told, less(gaps[0], 0.01 * gaps[1])


def _right(found: Found) -> Judged:
    errors = {name: abs(found[name]["tip"] / found["unreduced"]["tip"] - 1.0) for name in (TIED, MODES, NONE)}
    told = ", ".join(f"{name} {percent(error)}" for name, error in errors.items())
    return f"{told} off", every(less(errors[MODES], 0.01), more(errors[TIED], 0.01), more(errors[NONE], 0.01))


STATEMENTS = (
    Statement(
        "tied and neglected contact lead to completely different deflections (here: by half)",
        "figure 1.2",
        _deflections,
    ),
    Statement(
        "their answers to a step load differ too (here: periods by more than a tenth)", "figure 1.2", _motions
    ),
    Statement("the truth lies between (here: each more than 5 % from joint modes)", "figure 1.2", _between),
    Statement(
        "without contact the sheets penetrate each other (here: ten times as deep as with it)",
        "figure 1.3",
        _penetrate,
    ),
    Statement(
        "tied sheets cannot separate (here: their largest gap is a hundredth of that with contact)",
        "figure 1.3",
        _cannot_separate,
    ),
    Statement(
        "joint modes give the unreduced model's deflection (here: within 1 %), the others do not",
        "chapter 1",
        _right,
    ),
)


@studies.register("joint-treatments")
class JointTreatments(StatementStudy):
    """One bar three ways: sheets tied, sheets without contact, and joint modes with contact and friction."""

    title: ClassVar[str] = "Tied, no contact, joint modes"
    summary: ClassVar[str] = "What becomes of the friction bar when its joint is tied or left out."
    note: ClassVar[str] = f"""\
Thesis of the ContactDefiner, chapter 1, figures 1.2 and 1.3: the wide friction bar (holes at x = 33, 62.5, 162.5
and 192 mm) bent by {_FORCE:g} N at its end, and swinging under a step of the same force. "Tied" bonds the lower
sheet's nodes to the upper sheet over the whole joint; "no contact" leaves the joint out; "joint modes" has 40 modes
of weighted POD, linear penalty of 50 000 N/mm³, in motion Coulomb friction of 0.15. Gaps and penetrations are the
largest of the bent bar. Kind of reference: unreduced model, with contact and without friction. What is within 5 %
of a limit is undecided."""

    def measure(self, work: Path, progress: Progress, quick: bool = False) -> dict[str, Any]:
        """Return deflections, motions, gaps and penetrations of each treatment."""
        duration, size = (_QUICK_DURATION, QUICK_SIZE) if quick else (_DURATION, SIZE)
        runs = {}
        for i, tied in enumerate((False, True)):
            deck = work / f"{'tied' if tied else 'bolted'}_bar.inp"
            write_friction_bar(deck, WIDE_HOLES, size, tied=tied)
            runs[tied] = ExampleRun(
                _project(deck, duration),
                ArtifactStore(work / "artifacts"),
                PartialProgress(progress, i / 2, (i + 1) / 2),
            )
        bar, tied_bar = runs[False].project, runs[True].project
        alone = with_body(with_joint_modes(bar, count=0), joints=())
        bonded = with_body(with_joint_modes(tied_bar, count=0), joints=())
        found = {
            TIED: _treated(runs[True], bonded, runs[False]),
            NONE: _treated(runs[False], alone, runs[False]),
            MODES: _treated(runs[False], bar, runs[False]),
        }
        with closing(runs[False].results(_FULL)) as results:
            found["unreduced"] = {"tip": _plain(results.curve("load uz")[-1])}
        sizes = {
            "nodes": len(runs[False].value("model").nodes),
            "pairs": len(runs[False].value("pairs", "lap joint")),
        }
        return {**sizes, "found": found}

    def tables(self, record: dict[str, Any]) -> dict[str, Table]:
        """Return the statements, and the numbers of each treatment."""
        found = record["found"]
        rows = tuple(
            (name, *(of.get(key, "") for key in ("tip", "largest", "period", "gap", "penetration")))
            for name, of in found.items()
        )
        heads = (
            "sheets",
            "deflection, mm",
            "largest in motion, mm",
            "period, s",
            "gap, mm",
            "penetration, mm",
        )
        return {
            "Statements": statement_table(STATEMENTS, {"wide bar": found}),
            "Model": Table(("nodes", "pairs"), ((record["nodes"], record["pairs"]),)),
            "Deflections, motions, gaps": Table(heads, rows),
        }


def _project(deck: Path, duration: float) -> Project:
    common = {"body": "bar", "support": "mounting"}
    load = {"interface": "load", "force": (0.0, 0.0, _FORCE)}
    still = {"friction": False, "loads": [load]}
    return project_of(
        deck.stem, "", str(deck), friction_bar(friction_coefficient=0.15),
        [
            {"kind": "static", "name": _BENT, **common, **still, "error_estimate": False},
            {"kind": "unreduced_static", "name": _FULL, **common, **still},
            {
                "kind": "transient", "name": _SWING, **common, "duration": duration,
                "frames": round(duration / _INTERVAL),
                "loads": [{**load, "time_history": {"kind": "haversine", "rise_time": 0.01}}],
            },
        ],
    )  # fmt: skip


def _treated(run: ExampleRun, project: Project, paired: ExampleRun) -> dict[str, float]:
    """Return the numbers of one treatment; the gaps are those of the pairs of the bar with contact."""
    joint = paired.project.bodies[0].joints[0].name
    pairs, model = paired.value("pairs", joint), paired.value("model")
    with closing(run.results(_BENT, project)) as results:
        tip = results.curve("load uz")[-1]
        static = project.analysis(_BENT)
        body = static.clamped_body(run.value("body", project=project))
        moved = body.displacements @ results.coordinates(results.n_frames - 1)
    # Both decks have the same nodes in the same order.
    assert moved.size == 3 * len(model.nodes)
    moved = moved.reshape(-1, 3)
    apart = moved[pairs.slave_nodes] - np.einsum("nk,nkx->nx", pairs.shape_values, moved[pairs.master_nodes])
    gaps = pairs.initial_gaps + np.einsum("nx,nx->n", pairs.normals, apart)
    with closing(run.results(_SWING, project)) as results:
        swing = BarMotion(np.asarray(results.values), results.curve("load uz"), np.zeros(0))
    period = (
        swing.period() if swing.time[-1] > _QUICK_DURATION else 0.0
    )  # a quick run ends before the second peak
    return {
        "tip": _plain(tip), "largest": _plain(swing.tip.max()), "period": _plain(period),
        "gap": _plain(gaps.max()), "penetration": _plain(max(-gaps.min(), 0.0)),
    }  # fmt: skip


def _plain(value: float) -> float:
    return float(f"{float(value):.6g}")
