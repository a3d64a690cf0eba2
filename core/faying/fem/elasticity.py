"""Stiffness of materials: stress per strain in six components, in material axes and rotated to global axes.

Order of the components: 11, 22, 33, 12, 23, 31, as in Nastran and Ansys (Abaqus and CalculiX: 11, 22, 33, 12, 13, 23);
shear strains are engineering strains, γ = 2 ε. Textbook: R. M. Jones, Mechanics of Composite Materials (1999), chapter
2.
"""

from collections.abc import Sequence

import numpy as np

from faying.fem.model import Material

_PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))
_IN_PLANE, _ACROSS = [0, 1, 3], [5, 4]  # 11, 22, 12 and 13, 23 of a shell
_SMALLEST = 1e-12  # smallest eigenvalue of a stiffness relative to its largest


def is_isotropic(material: Material) -> bool:
    """Return whether two constants define a material's stiffness."""
    return not material.stiffness


def lame_constants(material: Material) -> tuple[float, float]:
    """Return Lamé's λ and the shear modulus μ of an isotropic material."""
    modulus, ratio = material.youngs_modulus, material.poisson_ratio
    return modulus * ratio / ((1.0 + ratio) * (1.0 - 2.0 * ratio)), modulus / (2.0 * (1.0 + ratio))


def material_stiffness(material: Material) -> np.ndarray:
    """Return (6, 6) stresses per strain in material axes."""
    if not is_isotropic(material):
        return np.array(material.stiffness).reshape(6, 6)
    lam, mu = lame_constants(material)
    matrix = np.diag([2.0 * mu] * 3 + [mu] * 3)
    matrix[:3, :3] += lam
    return matrix


def strain_transformation(directions: np.ndarray) -> np.ndarray:
    """Return (…, 6, 6) T of ε' = T ε, strains in rotated axes from global ones; stresses transform back by σ = Tᵀ σ'.

    Args:
        directions: (…, 3, 3) the rotated axes as rows.
    """
    made = np.empty((*directions.shape[:-2], 6, 6))
    for row, (i, j) in enumerate(_PAIRS):
        scale = 0.5 if i == j else 1.0  # engineering shear strains are twice the tensor components
        for column, (k, m) in enumerate(_PAIRS):
            made[..., row, column] = scale * (
                directions[..., i, k] * directions[..., j, m] + directions[..., i, m] * directions[..., j, k]
            )
    return made


def global_stiffness(material: Material, directions: np.ndarray | None) -> np.ndarray:
    """Return stresses per strain in global axes: (6, 6) if equal for all elements, else (n, 6, 6).

    Args:
        material: material of the elements.
        directions: (n, 3, 3) its axes in each element, as rows; None for the global axes.
    """
    own = material_stiffness(material)
    if directions is None or is_isotropic(material):
        return own
    turn = strain_transformation(directions)
    return np.asarray(turn.swapaxes(-1, -2) @ own @ turn)


def stress_per_kelvin(material: Material, directions: np.ndarray | None = None) -> np.ndarray:
    """Return (6,) or (n, 6) stresses D α per kelvin in global axes; a fully restrained body has the opposite ones.

    They are zero without coefficient of expansion.
    """
    strains = material_expansion(material)
    if is_isotropic(material) and not material.expansions:
        lam, mu = lame_constants(material)
        return (3.0 * lam + 2.0 * mu) * strains
    stresses = material_stiffness(material) @ strains
    return stresses if directions is None else np.asarray(stresses @ strain_transformation(directions))


def material_expansion(material: Material) -> np.ndarray:
    """Return (6,) strains per kelvin in material axes; zeros without coefficient of expansion."""
    if material.expansions:
        return np.array(material.expansions)
    return (material.expansion or 0.0) * np.array([1.0, 1.0, 1.0, 0.0, 0.0, 0.0])


def plane_stress_stiffness(material: Material) -> tuple[np.ndarray, np.ndarray]:
    """Return (3, 3) plane-stress stiffness Q of 11, 22, 12, and (2, 2) transverse shear stiffness of 13, 23.

    Coupling between both in anisotropic materials is neglected, as in Abaqus.
    """
    if is_isotropic(material):
        modulus, ratio = material.youngs_modulus, material.poisson_ratio
        shear = modulus / (2.0 * (1.0 + ratio))
        plane = np.diag([0.0, 0.0, shear])
        plane[:2, :2] = modulus / (1.0 - ratio**2) * np.array([[1.0, ratio], [ratio, 1.0]])
        return plane, shear * np.eye(2)
    condensed = _condensed(material_stiffness(material))
    return condensed[np.ix_(_IN_PLANE, _IN_PLANE)], condensed[np.ix_(_ACROSS, _ACROSS)]


def engineering_stiffness(
    moduli: Sequence[float], ratios: Sequence[float], shear_moduli: Sequence[float]
) -> np.ndarray:
    """Return (6, 6) the stiffness of an orthotropic material from its engineering constants.

    Args:
        moduli: E1, E2, E3.
        ratios: ν12, ν13, ν23; ν12 is the contraction along 2 per strain along 1 in tension along 1, and ν21 = ν12
            E2/E1.
        shear_moduli: G12, G13, G23.

    Raises:
        ValueError: when a modulus is not positive, or no material can have these ratios.
    """
    (e1, e2, e3), (n12, n13, n23), (g12, g13, g23) = moduli, ratios, shear_moduli
    given = {"E1": e1, "E2": e2, "E3": e3, "G12": g12, "G13": g13, "G23": g23}
    for name, modulus in given.items():
        if not modulus > 0.0:
            raise ValueError(f"{name} is {modulus:g}, expected a positive modulus")
    pairs = (("ν12", n12, "E1", "E2"), ("ν13", n13, "E1", "E3"), ("ν23", n23, "E2", "E3"))
    for name, ratio, first, second in pairs:
        most = np.sqrt(given[first] / given[second])
        if not abs(ratio) < most:
            raise ValueError(
                f"{name} is {ratio:g}, expected one smaller than √({first}/{second}) = {most:.4g} (so that the strain "
                "energy is positive)"
            )
    compliance = np.diag([1.0 / e1, 1.0 / e2, 1.0 / e3, 1.0 / g12, 1.0 / g23, 1.0 / g13])
    for i, j, ratio, modulus in ((0, 1, n12, e1), (0, 2, n13, e1), (1, 2, n23, e2)):
        compliance[i, j] = compliance[j, i] = -ratio / modulus
    root = np.sqrt(np.diag(compliance))
    if not np.linalg.eigvalsh(compliance / np.outer(root, root))[0] > _SMALLEST:
        raise ValueError(
            f"the Poisson's ratios ν12 = {n12:g}, ν13 = {n13:g} and ν23 = {n23:g} together make a stiffness that is "
            "not positive definite"
        )
    return np.asarray(np.linalg.inv(compliance))


def lamina_stiffness(moduli: Sequence[float], ratio: float, shear_moduli: Sequence[float]) -> np.ndarray:
    """Return (6, 6) a stiffness with a lamina's constants in plane stress, and E3 = E2, ν13 = ν23 = 0 across.

    Args:
        moduli: E1, E2.
        ratio: ν12.
        shear_moduli: G12, G13, G23.

    Raises:
        ValueError: as `engineering_stiffness`.
    """
    return engineering_stiffness((*moduli, moduli[1]), (ratio, 0.0, 0.0), shear_moduli)


def stiffness_of_plane(plane: np.ndarray, shear: np.ndarray) -> np.ndarray:
    """Return (6, 6) a stiffness from matrices for 11, 22, 12 in plane stress and for 13, 23; 33 is as stiff as 22."""
    made = np.zeros((6, 6))
    made[np.ix_(_IN_PLANE, _IN_PLANE)] = plane
    made[np.ix_(_ACROSS, _ACROSS)] = shear
    made[2, 2] = plane[1, 1]
    return made


def anisotropic_material(
    name: str, kind: str, stiffness: np.ndarray, density: float, expansions: tuple[float, ...] = ()
) -> Material:
    """Return a material with this stiffness, and with means over all directions as modulus and Poisson's ratio.

    These means serve where one number is needed: contact compliances, a guess of units. They are Voigt's (R. Hill
    1952); for a lamina, those of a quasi-isotropic laminate (Jones 1999, chapter 4).

    Args:
        name: of the material.
        kind: "orthotropic", "anisotropic" or "lamina".
        stiffness: (6, 6) in material axes.
        density: mass per volume.
        expansions: six strains per kelvin; empty if unknown.

    Raises:
        ValueError: when the stiffness is not symmetric or not positive definite.
    """
    if not np.abs(stiffness - stiffness.T).max() <= 1e-6 * np.abs(stiffness).max():
        raise ValueError("its stiffness is not symmetric")
    stiffness = 0.5 * (stiffness + stiffness.T)
    diagonal = np.diag(stiffness)
    if not diagonal.min() > 0.0:
        at = int(np.argmin(diagonal)) + 1
        raise ValueError(f"entry {at}, {at} of its stiffness is {diagonal.min():g}, expected a positive one")
    root = np.sqrt(diagonal)
    if not np.linalg.eigvalsh(stiffness / np.outer(root, root))[0] > _SMALLEST:
        raise ValueError("its stiffness is not positive definite: some deformation would set energy free")
    modulus, ratio = _plane_mean(stiffness) if kind == "lamina" else _mean(stiffness)
    return Material(
        name, float(modulus), float(ratio), density, expansions[0] if expansions else None, kind,
        tuple(stiffness.ravel().tolist()), expansions,
    )  # fmt: skip


def _mean(stiffness: np.ndarray) -> tuple[float, float]:
    """Return Young's modulus and Poisson's ratio of a stiffness averaged over all directions."""
    normal, mixed = stiffness[[0, 1, 2], [0, 1, 2]].sum(), stiffness[[0, 0, 1], [1, 2, 2]].sum()
    shear = stiffness[[3, 4, 5], [3, 4, 5]].sum()
    bulk, rigidity = (normal + 2.0 * mixed) / 9.0, (normal - mixed + 3.0 * shear) / 15.0
    modulus = 9.0 * bulk * rigidity / (3.0 * bulk + rigidity)
    return modulus, (3.0 * bulk - 2.0 * rigidity) / (2.0 * (3.0 * bulk + rigidity))


def _plane_mean(stiffness: np.ndarray) -> tuple[float, float]:
    """Return Young's modulus and Poisson's ratio of a plane-stress stiffness averaged over all directions."""
    plane = _condensed(stiffness)[np.ix_(_IN_PLANE, _IN_PLANE)]
    along = (3.0 * (plane[0, 0] + plane[1, 1]) + 2.0 * plane[0, 1] + 4.0 * plane[2, 2]) / 8.0
    across = (plane[0, 0] + plane[1, 1] + 6.0 * plane[0, 1] - 4.0 * plane[2, 2]) / 8.0
    return along - across**2 / along, across / along


def _condensed(stiffness: np.ndarray) -> np.ndarray:
    """Return a stiffness condensed for zero stress 33."""
    return np.asarray(stiffness - np.outer(stiffness[:, 2], stiffness[2]) / stiffness[2, 2])


def engineering_constants(material: Material) -> dict[str, float]:
    """Return E1 to G23 of a material by name; for a lamina only those defined in plane stress."""
    compliance = np.linalg.inv(material_stiffness(material))
    e1, e2, e3, g12, g23, g13 = (1.0 / np.diag(compliance)).tolist()
    found = {
        "E1": e1, "E2": e2, "E3": e3, "ν12": -compliance[0, 1] * e1, "ν13": -compliance[0, 2] * e1,
        "ν23": -compliance[1, 2] * e2, "G12": g12, "G13": g13, "G23": g23,
    }  # fmt: skip
    if material.kind == "lamina":
        for name in ("E3", "ν13", "ν23"):
            del found[name]
    return {name: float(value) for name, value in found.items()}


def described_stiffness(material: Material) -> str:
    """Return the constants of a material as text: "E = 210000, ν = 0.3", or its kind with directional constants."""
    if material.kind == "laminate":
        return f"laminate, mean E = {material.youngs_modulus:g}, ν = {material.poisson_ratio:.3g}"
    if is_isotropic(material):
        return f"E = {material.youngs_modulus:g}, ν = {material.poisson_ratio:g}"
    constants = ", ".join(f"{name} = {value:.4g}" for name, value in engineering_constants(material).items())
    return f"{material.kind}, {constants}"
