"""Writers of matrix files in the formats of other programs, independent of the readers."""

import numpy as np
import scipy.io
import scipy.sparse as sp

from faying.fem.matrix_export import dof_list_of_model, write_matrices


def write_abaqus(folder, model, matrices, full=False):
    """`*MATRIX OUTPUT, FORMAT=MATRIX INPUT`: the lower triangle by node and component."""
    dofs = dof_list_of_model(model, matrices.dofs)
    paths = folder / "job_STIF1.mtx", folder / "job_MASS1.mtx"
    for path, matrix in zip(paths, (matrices.stiffness, matrices.mass), strict=True):
        coo = sp.coo_matrix(matrix if full else sp.tril(matrix))
        ends = [dofs.nodes[coo.row], dofs.components[coo.row], dofs.nodes[coo.col], dofs.components[coo.col]]
        lines = (f"{i},{a}, {j},{b}, {v:.16e}\n" for i, a, j, b, v in zip(*ends, coo.data, strict=True))
        path.write_text("** assembled matrix\n" + "".join(lines))
    return paths


def write_calculix(folder, model, matrices):
    """`*FREQUENCY, SOLVER=MATRIXSTORAGE`: one triangle by row and column, and the list node.component."""
    dofs = dof_list_of_model(model, matrices.dofs)
    paths = folder / "job.sti", folder / "job.mas"
    for path, matrix in zip(paths, (matrices.stiffness, matrices.mass), strict=True):
        coo = sp.coo_matrix(sp.triu(matrix))
        entries = zip(coo.row + 1, coo.col + 1, coo.data, strict=True)
        path.write_text("".join(f"{i} {j} {v:20.16e}\n" for i, j, v in entries))
    lines = (f"{node}.{c}\n" for node, c in zip(dofs.nodes, dofs.components, strict=True))
    (folder / "job.dof").write_text("".join(lines))
    return paths


def write_matrix_market(folder, model, matrices):
    """Symmetric MatrixMarket files with a table of the degrees of freedom."""
    dofs = dof_list_of_model(model, matrices.dofs)
    paths = folder / "K.mtx", folder / "M.mtx"
    for path, matrix in zip(paths, (matrices.stiffness, matrices.mass), strict=True):
        scipy.io.mmwrite(path, matrix, precision=17, symmetry="symmetric")
        rows = "".join(f"{node}, {c}\n" for node, c in zip(dofs.nodes, dofs.components, strict=True))
        path.with_name(f"{path.stem}_dofs.csv").write_text("node, component\n" + rows)
    return paths


def write_numpy(folder, model, matrices):
    """Dense arrays and one list of degrees of freedom for both."""
    dofs = dof_list_of_model(model, matrices.dofs)
    paths = folder / "K.npy", folder / "M.npy"
    for path, matrix in zip(paths, (matrices.stiffness, matrices.mass), strict=True):
        np.save(path, matrix.toarray())
    np.save(folder / "dofs.npy", np.stack([dofs.nodes, dofs.components], axis=1))
    return paths


def write_scipy(folder, model, matrices):
    """What `write_matrices` writes for users."""
    return write_matrices(folder, model, matrices)[:2]


def write_nastran(folder, model, matrices):
    """One punch file with both matrices: KAAX and MAAX, the upper triangle by columns, ten digits."""
    dofs = dof_list_of_model(model, matrices.dofs)
    path, lines = folder / "job.pch", ["$ punched"]
    for name, matrix in (("KAAX", matrices.stiffness), ("MAAX", matrices.mass)):
        lines.append(f"{'DMIG':<8}{name:<8}{0:>8}{6:>8}{2:>8}{0:>8}")
        upper = sp.csc_matrix(sp.triu(matrix))
        for j in range(upper.shape[1]):
            lines.append(f"{'DMIG*':<8}{name:<16}{dofs.nodes[j]:>16}{dofs.components[j]:>16}{'':16}*")
            for at in range(upper.indptr[j], upper.indptr[j + 1]):
                i, number = upper.indices[at], f"{upper.data[at]:.9E}".replace("E", "D")
                lines.append(f"{'*':<8}{dofs.nodes[i]:>16}{dofs.components[i]:>16}{number:>16}")
    path.write_text("\n".join(lines) + "\n")
    return path, path


WRITERS = {
    "abaqus": write_abaqus,
    "coordinates": write_calculix,
    "matrix_market": write_matrix_market,
    "nastran": write_nastran,
    "numpy": write_numpy,
    "scipy": write_scipy,
}
