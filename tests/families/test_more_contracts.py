"""Contracts of families whose members have their own tests elsewhere: what an outsider's member is held to."""

from typing import ClassVar

import numpy as np
import pytest

from faying.testing import (
    AnalysisContract,
    BodyLoadContract,
    BodyWriterContract,
    CommandContract,
    ContactShapesContract,
    DiagramContract,
    FactorBackendContract,
    MaterialChoiceContract,
    ModelCheckContract,
    PartKindContract,
    PlotWriterContract,
    PreloadLoadContract,
    RigidSurfaceContract,
    StepContract,
)


class TestMaterialChoices(MaterialChoiceContract):
    samples: ClassVar = {
        "isotropic": {"youngs_modulus": 210e3, "density": 7.85e-9},
        "orthotropic": {
            "modulus_1": 12e3, "modulus_2": 900.0, "modulus_3": 500.0, "density": 5e-10,
            "shear_modulus_12": 800.0, "shear_modulus_13": 700.0, "shear_modulus_23": 60.0,
        },
    }  # fmt: skip


class TestDiagrams(DiagramContract):
    pass


class TestPlotWriters(PlotWriterContract):
    kinds = ("csv", "unv")  # those of the core; pictures are tried with the window's


class TestRigidSurfaces(RigidSurfaceContract):
    samples: ClassVar = {"cylinder": {"axis": (1.0, 2.0, -1.0)}, "plane": {"normal": (1.0, -2.0, 0.5)}}
    without = ("surface_mesh",)


class TestRigidMeshes(RigidSurfaceContract):
    kinds = ("surface_mesh",)

    @pytest.fixture(autouse=True)
    def file(self, tmp_path, monkeypatch):
        (tmp_path / "corner.obj").write_text(
            "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
        )
        monkeypatch.setattr(
            TestRigidMeshes, "samples", {"surface_mesh": {"path": str(tmp_path / "corner.obj")}}
        )


class TestContactShapes(ContactShapesContract):
    samples: ClassVar = {"patches": {"radius": 4.0, "count": 6}}


class TestBodyLoads(BodyLoadContract):
    samples: ClassVar = {
        "gravity": {"acceleration": (0.0, 0.0, -9810.0)},
        "hydrostatic_pressure": {"pressure": 2.0, "gradient": (0.1, 0.0, 0.0)},
        "node_force": {"node_set": "TIP", "force": (1.0, 2.0, 3.0)},
        "of_deck": {"load": "LOAD 5"},
        "pressure": {"pressure": 3.0},
        "rotation": {"angular_velocity": 10.0, "angular_acceleration": 3.0},
        "surface_force": {"force": (1.0, 0.0, 0.0)},
        "traction": {"traction": (0.0, 1.0, 0.0)},
    }
    without = ("temperature", "of_superelement", "of_file")  # need more than the deck of the plates has


class TestPreloadLoads(PreloadLoadContract):
    samples: ClassVar = {
        "interference": {"joint": "lap", "amount": 0.01},
        "node_force": {"interface": "tip", "force": (1.0, 2.0, 3.0)},
        "surface_force": {"force": 7.0},
        "surface_pressure": {"pressure": 2.0},
    }
    without = ("bolt_force",)  # bolts are tightened in bodies that have some
    sizes: ClassVar = {
        "interference": ("amount",), "node_force": ("force", "moment"), "surface_force": ("force",),
        "surface_pressure": ("pressure",),
    }  # fmt: skip


class TestPartKinds(PartKindContract):
    samples: ClassVar = {
        "flexible": {"markers": [{"name": "eye", "interface": "tip"}]},
        "rigid": {"mass": 2.0, "centre_of_mass": (0.1, 0.2, 0.3), "moments_of_inertia": (3.0, 4.0, 5.0)},
    }


class TestModelChecks(ModelCheckContract):
    pass


class TestSteps(StepContract):
    samples: ClassVar = {"tighten": {"bolt": "M8", "force": 10e3}}


class TestFactorBackends(FactorBackendContract):
    pass


class TestBodyWriters(BodyWriterContract):
    pass


class TestCommands(CommandContract):
    pass


class TestAnalyses(AnalysisContract):
    samples: ClassVar = {
        "frequency_response": {"lowest": 10.0, "highest": 1000.0, "points": 5},
        "transient": {"duration": 2e-5, "frames": 2},
    }
    kinds = ("modes", "static", "transient", "unreduced_static")


def test_the_contract_of_surfaces_notices_a_normal_of_another_length():
    """The contracts can fail: a plane whose normal is not of length one, were it not mended when it is built."""
    from faying.multibody.contacts.rigid_shapes import RigidPlane

    with pytest.raises(AssertionError):
        TestRigidSurfaces().test_distances_grow_along_the_normal(
            RigidPlane(np.zeros(3), np.array([0.0, 0.0, 1.1]))
        )
