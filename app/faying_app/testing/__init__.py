"""Contract tests for members of the window's families, also of other packages; needs pytest and pytest-qt.

A package that adds a panel "notes" tests it with these lines, which pytest collects::

    from faying_app.testing import PanelContract

    class TestNotes(PanelContract):
        kinds = ("notes",)

The panel has to be registered: by an entry point ``faying_app.panels``, or by importing its module. It is tried in real
windows, so there has to be a screen; `faying.testing` has the contracts of the core.
"""

from faying.errors import MissingDependencyError

try:
    import pytest
    import pytestqt  # noqa: F401 - errors in slots fail the test that they happen in
except ImportError as error:
    raise MissingDependencyError(
        "Contract tests of the window need pytest and pytest-qt.",
        "Install them: pip install pytest pytest-qt",
    ) from error

for _name in ("actions", "benches", "editors", "panels", "visuals"):
    pytest.register_assert_rewrite(f"faying_app.testing.{_name}")  # a failed assert shows its numbers

from faying_app.testing.actions import ActionContract  # noqa: E402
from faying_app.testing.benches import BenchContract  # noqa: E402
from faying_app.testing.editors import EditorContract, EditorExample  # noqa: E402
from faying_app.testing.panels import PanelContract  # noqa: E402
from faying_app.testing.visuals import VisualContract  # noqa: E402

__all__ = [
    "ActionContract",
    "BenchContract",
    "EditorContract",
    "EditorExample",
    "PanelContract",
    "VisualContract",
]
