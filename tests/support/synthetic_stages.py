"""A small table of stages that only knows numbers: it exercises the pipeline, the store and the worker.

``source`` reads the name of a body's deck as a number, ``product`` is held in memory, ``sum`` is stored,
``run`` streams frames. A joint's name chooses how its stage ``trial`` behaves: slow, deaf (ignores cancel),
crash, fail.
"""

import os
import time
from pathlib import Path

import numpy as np

from faying.errors import SolveError
from faying.project.pipeline import Pipeline
from faying.project.stage import Stage, Target
from faying.results.writer import ResultsWriter

COMPUTED: list[str] = []


def _counted(name, function):
    def compute(context, progress):
        COMPUTED.append(name)
        return function(context, progress)

    return compute


def _trial(context, progress):
    name = context.target.item
    if name == "crash":
        os.abort()
    if name == "fail":
        raise SolveError("The trial found no solution.", "Try another one.")
    if name == "mistake":
        raise ZeroDivisionError("by purpose")
    if name == "deaf":
        progress.report(0.0, "deaf")
        time.sleep(60)
    if name == "slow":
        for i in range(600):
            progress.report(i / 600, "slow", step_size=np.float64(0.5))
            time.sleep(0.1)
    return np.arange(3.0)


def _run(context, progress):
    analysis = context.project.analysis(context.target.item)
    frames = int(context.needs("sum")[0])
    with ResultsWriter(
        context.results, axis="time", body="bar", frame="", sizes={"coordinates": 2}, joints={}, flush_every=1,
        settings={"name": analysis.name},
    ) as writer:  # fmt: skip
        for i in range(frames):
            progress.report(i / frames, "frame")
            writer.append(float(i), coordinates=np.full(2, float(i)))
            if frames > 1000:
                time.sleep(0.01)
        writer.close({"frames": frames})
    return {}


def _body(project, target):
    return project.body(target.body)


def _number(project, target):
    return float(Path(_body(project, target).model.path).name)


def _interfaces(project, target):
    return len(_body(project, target).interfaces)


def _needs(*stages):
    return lambda project, target: {stage: Target(stage, target.body) for stage in stages}


PIPELINE = Pipeline(
    (
        Stage(
            "source", "source", 1, "body", "artifact",
            lambda p, t, base: {"deck": _number(p, t)}, _needs(),
            _counted("source", lambda c, progress: np.array([_number(c.project, c.target)])),
        ),
        Stage(
            "product", "product", 1, "body", "memory",
            lambda p, t, base: {"interfaces": _interfaces(p, t)}, _needs("source"),
            _counted("product", lambda c, progress: c.needs("source") * (1 + _interfaces(c.project, c.target))),
        ),
        Stage(
            "sum", "sum", 1, "body", "artifact",
            lambda p, t, base: {"joint modes": _body(p, t).joint_modes}, _needs("product"),
            _counted("sum", lambda c, progress: c.needs("product") + _body(c.project, c.target).joint_modes.count),
        ),
        Stage(
            "trial", "trial", 1, "joint", "artifact",
            lambda p, t, base: {"name": t.item}, lambda p, t: {}, _trial,
        ),
        Stage(
            "run", "run", 1, "analysis", "results",
            lambda p, t, base: p.analysis(t.item).model_dump(mode="json", exclude={"name", "body"}),
            _needs("sum"), _counted("run", _run),
        ),
    )
)  # fmt: skip


def bar(deck="5", count=2, joints=(), analyses=("swing",)):
    """Return a project with one body whose "deck" is a number."""
    from faying.params import build
    from faying.project.specs import Project

    surfaces = {
        "master": {"kind": "deck_surface", "name": "A"},
        "slave": {"kind": "deck_surface", "name": "B"},
    }
    return build(
        Project,
        {
            "name": "bar",
            "bodies": [
                {
                    "name": "bar",
                    "model": {"path": deck},
                    "joint_modes": {"kind": "weighted_pod", "count": count},
                    "joints": [{"name": name, **surfaces} for name in joints],
                }
            ],
            "analyses": [
                {"kind": "static", "name": name, "body": "bar", "support": "HOLD"} for name in analyses
            ],
        },
    )
