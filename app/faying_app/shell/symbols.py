"""What is marked on the body: interface nodes, and support and loads of the selected analysis or the body."""

from faying.analyses.reduction_study import ReductionStudy
from faying.errors import FayingError
from faying.exporters.shown_loads import ShownLoad, body_loads, loads_of
from faying.fem.model import FeModel
from faying.project.bodies import interface_rows
from faying.project.specs import BodySpec, Project
from faying.reduction.interior import ALL_COMPONENTS
from faying_app.computed import Computed
from faying_app.entities import analysis_at, kind_of
from faying_app.scene.content import Symbols
from faying_app.selection import EntityPath


def symbols_of(
    project: Project, path: EntityPath, computed: Computed, body: BodySpec, model: FeModel
) -> Symbols:
    """Return node rows of interfaces by name, rows that are held, and arrows, for what is selected by a path.

    Arrows show loads, including forces of bolts, and single dofs of interface nodes kept in the reduction.
    """
    try:
        rows = interface_rows(body, model)
    except FayingError:
        rows = {}  # a finding reports its error
    analysis = analysis_at(project, path)
    support = rows.get(getattr(analysis, "support", ""))
    on_surfaces = [load.name for load in body.loads if hasattr(load, "surface")]
    chosen: list[str] = []
    if analysis is None and path[:3:2] == ("bodies", "loads"):
        chosen = [load.name for i, load in enumerate(body.loads) if i in path[3:4] or len(path) == 3]
    acting = [each.load for each in getattr(analysis, "body_loads", ())]
    skin = computed.skin(body.name) if {*on_surfaces} & {*acting, *chosen} else None
    results = computed.results(analysis.name) if hasattr(analysis, "steps") and analysis else None
    loads = loads_of(analysis, body, model, rows, project.units, results=results, skin=skin)
    loads += body_loads(chosen, body, model, skin) + _single_dofs(project, path, computed, body, model, rows)
    return Symbols(rows, () if support is None else (support,), tuple(loads))


def _single_dofs(
    project: Project,
    path: EntityPath,
    computed: Computed,
    body: BodySpec,
    model: FeModel,
    rows: dict[str, int],
) -> list[ShownLoad]:
    """Return an arrow for each kept dof of interface nodes of which only some are kept; with the reduction selected.

    For a reduction study that has been run, also for the dofs that it chose itself.
    """
    analysis = analysis_at(project, path)
    studied = isinstance(analysis, ReductionStudy) and analysis.body == body.name
    if not studied and kind_of(path) not in ("reduction", "interfaces", "interface"):
        return []
    taken = [
        (rows[each.name], component)
        for each in body.interfaces
        if each.name in rows and each.components != ALL_COMPONENTS
        for component in each.components
    ]
    results = computed.results(analysis.name) if studied and analysis is not None else None
    if results is not None:
        known = {int(number): row for row, number in enumerate(model.node_ids)}
        further = results.report.get("further_dofs", [])
        taken += [(known[node], component) for node, component in further if node in known]
    axes = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    return [
        ShownLoad(row, axes[(component - 1) % 3], "", "force" if component <= 3 else "moment")
        for row, component in dict.fromkeys(taken)
    ]
