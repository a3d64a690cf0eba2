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
from faying.linalg.room import require_memory
from faying.project.pipeline import Pipeline
from faying.project.stage import ResultsStage, Stage, Target
from faying.results.writer import ResultsWriter

COMPUTED: list[str] = []


def _body(project, target):
    return project.body(target.body)


def _number(project, target):
    return float(Path(_body(project, target).model.path).name)


def _interfaces(project, target):
    return len(_body(project, target).interfaces)


class Source(Stage[np.ndarray]):
    name = title = "source"
    order = 1

    def reads(self, project, target, base):
        return {"deck": _number(project, target)}

    def compute(self, context, progress):
        COMPUTED.append(self.name)
        return np.array([_number(context.project, context.target)])


class Product(Stage[np.ndarray]):
    name = title = "product"
    order = 2
    keeps = "memory"

    def reads(self, project, target, base):
        return {"interfaces": _interfaces(project, target)}

    def needs(self, project, target):
        return {"source": Target("source", target.body)}

    def compute(self, context, progress):
        COMPUTED.append(self.name)
        return context.get(Source) * (1 + _interfaces(context.project, context.target))


class Sum(Stage[np.ndarray]):
    name = title = "sum"
    order = 3

    def reads(self, project, target, base):
        return {"joint modes": _body(project, target).joint_modes}

    def needs(self, project, target):
        return {"product": Target("product", target.body)}

    def compute(self, context, progress):
        COMPUTED.append(self.name)
        return context.get(Product) + _body(context.project, context.target).joint_modes.count


class Trial(Stage[np.ndarray]):
    name = title = "trial"
    order = 4
    per = "joint"

    def reads(self, project, target, base):
        return {"name": target.item}

    def compute(self, context, progress):
        name = context.target.item
        if name == "crash":
            os.abort()
        if name == "fail":
            raise SolveError("The trial found no solution.", "Try another one.")
        if name == "mistake":
            raise ZeroDivisionError("by purpose")
        if name == "crowded":
            require_memory(2.0**80, 7)
        if name == "deaf":
            progress.report(0.0, "deaf")
            time.sleep(60)
        if name == "slow":
            for i in range(600):
                progress.report(i / 600, "slow", step_size=np.float64(0.5))
                time.sleep(0.1)
        return np.arange(3.0)


class Run(ResultsStage):
    name = title = "run"
    order = 5
    per = "analysis"

    def reads(self, project, target, base):
        return project.analysis(target.item).model_dump(mode="json", exclude={"name", "body"})

    def needs(self, project, target):
        return {"sum": Target("sum", target.body)}

    def run(self, context, progress):
        COMPUTED.append(self.name)
        analysis = context.project.analysis(context.target.item)
        frames = int(context.get(Sum)[0])
        with ResultsWriter(
            context.results, axis="time", body="bar", frame="", sizes={"coordinates": 2}, joints={},
            flush_every=1, settings={"name": analysis.name},
        ) as writer:  # fmt: skip
            for i in range(frames):
                progress.report(i / frames, "frame")
                writer.append(float(i), coordinates=np.full(2, float(i)))
                if frames > 1000:
                    time.sleep(0.01)
            writer.close({"frames": frames})


PIPELINE = Pipeline((Source(), Product(), Sum(), Trial(), Run()))


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
