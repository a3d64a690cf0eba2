"""Times the gear pair: a moment of the pitch of the unreduced model against a frame of the reduced one.

    python tests/benchmarks/gears.py [FRAMES]

Meshes, flanks, laws and torque are those of the example `gear-pair`. An unreduced moment has a deck of its own, whose
matrices, pairs and factor are of that moment alone; reduced bodies are made once for all frames. Processor time counts,
but not that of making machine code, for which both kinds run once before.
"""

import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from faying.examples import ExampleRun
from faying.examples.gear_pair import TEETH, GearPair, unreduced_project
from faying.project.store import ArtifactStore


def main(frames: int) -> None:
    """Print the times and their ratios."""
    project = GearPair().build()
    turning = project.analysis("a pitch")
    turning = turning.with_(frames=frames)
    first = turning.with_(name="first", frames=2, duration=2.0 * turning.duration / frames)
    project = project.with_(analyses=(first, turning))
    references = unreduced_project()
    moments = references.analyses
    with TemporaryDirectory() as folder:
        store = ArtifactStore(Path(folder))
        run, unreduced_run = ExampleRun(project, store), ExampleRun(references, store)

        def timed(work) -> float:
            start = time.process_time()
            work()
            return time.process_time() - start

        unreduced_run.results(moments[0].name).close()  # machine code and imports do not count
        unreduced = timed(lambda: unreduced_run.results(moments[1].name).close())
        reduction = timed(lambda: [run.value("body", body=wheel) for wheel in TEETH])
        run.results(first.name).close()
        followed = timed(lambda: run.results(turning.name).close())
        results = run.results(turning.name)
        steps, iterations = results.report["steps"], results.report["iterations"]
        results.close()
    frame = followed / frames
    lines = (
        f"unreduced, one moment with its deck, pairs and factor: {unreduced:.2f} s",
        f"reduction of both wheels: {reduction:.2f} s",
        f"{frames} frames of the reduced pair: {followed:.2f} s, {frame:.3f} s each",
        f"in them {steps} steps, {iterations} iterations",
        f"unreduced over reduced: {unreduced / frame:.1f} for a moment, "
        f"{unreduced * frames / (reduction + followed):.1f} for all with the reduction",
    )
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 60)
