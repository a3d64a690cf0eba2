"""Contract tests for members of families, including those of other packages; needs pytest.

A package that adds a contact law "cubic" tests it with these lines, which pytest collects::

    from faying.testing import ContactLawContract

    class TestCubic(ContactLawContract):
        kinds = ("cubic",)

The member must be registered, by an entry point ``faying.contact_laws`` or by importing its module. If it does not work
with its defaults, `faying.params.Member.example` returns parameters to use; a test may set others by ``samples =
{"cubic": {"factor": 1e6}}``. `faying.testing.plates` has a small deck and project for further tests. For families
without a separate contract, use `MemberContract` with ``family``.
"""

from faying.errors import MissingDependencyError

try:
    import pytest
except ImportError as error:
    raise MissingDependencyError("Contract tests need pytest.", "Install it: pip install pytest") from error

pytest.register_assert_rewrite("faying.testing.contracts")  # a failed assert shows its numbers

from faying.testing.contracts.analyses import AnalysisContract  # noqa: E402
from faying.testing.contracts.body_loads import BodyLoadContract  # noqa: E402
from faying.testing.contracts.body_writers import BodyWriterContract  # noqa: E402
from faying.testing.contracts.characteristics import CharacteristicContract  # noqa: E402
from faying.testing.contracts.checks import CheckContract  # noqa: E402
from faying.testing.contracts.commands import CommandContract  # noqa: E402
from faying.testing.contracts.constraints import ConstraintContract  # noqa: E402
from faying.testing.contracts.contact_laws import ContactLawContract  # noqa: E402
from faying.testing.contracts.contact_shapes import ContactShapesContract  # noqa: E402
from faying.testing.contracts.controllers import ControllerContract  # noqa: E402
from faying.testing.contracts.curve_shapes import CurveShapeContract  # noqa: E402
from faying.testing.contracts.curve_sources import CurveSourceContract  # noqa: E402
from faying.testing.contracts.derivative_selections import DerivativeSelectionContract  # noqa: E402
from faying.testing.contracts.diagrams import DiagramContract  # noqa: E402
from faying.testing.contracts.elements import ElementContract  # noqa: E402
from faying.testing.contracts.events import EventActionContract, EventContract  # noqa: E402
from faying.testing.contracts.exporters import ExporterContract  # noqa: E402
from faying.testing.contracts.factor_backends import FactorBackendContract  # noqa: E402
from faying.testing.contracts.fields import FieldContract  # noqa: E402
from faying.testing.contracts.forces import ForceContract  # noqa: E402
from faying.testing.contracts.frame_axes import FrameAxisContract  # noqa: E402
from faying.testing.contracts.friction_laws import FrictionLawContract  # noqa: E402
from faying.testing.contracts.integrators import IntegratorContract  # noqa: E402
from faying.testing.contracts.joint_mode_methods import JointModeMethodContract  # noqa: E402
from faying.testing.contracts.load_histories import LoadHistoryContract  # noqa: E402
from faying.testing.contracts.material_choices import MaterialChoiceContract  # noqa: E402
from faying.testing.contracts.matrix_readers import MatrixReaderContract  # noqa: E402
from faying.testing.contracts.measures import MeasureContract  # noqa: E402
from faying.testing.contracts.members import MemberContract  # noqa: E402
from faying.testing.contracts.mesh_makers import MeshMakerContract  # noqa: E402
from faying.testing.contracts.model_checks import ModelCheckContract  # noqa: E402
from faying.testing.contracts.model_writers import ModelWriterContract  # noqa: E402
from faying.testing.contracts.part_kinds import PartKindContract  # noqa: E402
from faying.testing.contracts.part_shapes import PartShapeContract  # noqa: E402
from faying.testing.contracts.plot_writers import PlotWriterContract  # noqa: E402
from faying.testing.contracts.preload_loads import PreloadLoadContract  # noqa: E402
from faying.testing.contracts.readers import ReaderContract  # noqa: E402
from faying.testing.contracts.reduction_methods import ReductionMethodContract  # noqa: E402
from faying.testing.contracts.rigid_surfaces import RigidSurfaceContract  # noqa: E402
from faying.testing.contracts.stages import StageContract  # noqa: E402
from faying.testing.contracts.step_kinds import StepContract  # noqa: E402
from faying.testing.contracts.surface_selections import SurfaceSelectionContract  # noqa: E402

__all__ = [
    "AnalysisContract",
    "BodyLoadContract",
    "BodyWriterContract",
    "CharacteristicContract",
    "CheckContract",
    "CommandContract",
    "ConstraintContract",
    "ContactLawContract",
    "ContactShapesContract",
    "ControllerContract",
    "CurveShapeContract",
    "CurveSourceContract",
    "DerivativeSelectionContract",
    "DiagramContract",
    "ElementContract",
    "EventActionContract",
    "EventContract",
    "ExporterContract",
    "FactorBackendContract",
    "FieldContract",
    "ForceContract",
    "FrameAxisContract",
    "FrictionLawContract",
    "IntegratorContract",
    "JointModeMethodContract",
    "LoadHistoryContract",
    "MaterialChoiceContract",
    "MatrixReaderContract",
    "MeasureContract",
    "MemberContract",
    "MeshMakerContract",
    "ModelCheckContract",
    "ModelWriterContract",
    "PartKindContract",
    "PartShapeContract",
    "PlotWriterContract",
    "PreloadLoadContract",
    "ReaderContract",
    "ReductionMethodContract",
    "RigidSurfaceContract",
    "StageContract",
    "StepContract",
    "SurfaceSelectionContract",
]
