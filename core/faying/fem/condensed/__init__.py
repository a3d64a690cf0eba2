"""Condensed matrices with contact elements and without a mesh (.mat of MATLAB), read as a reduced body.

Such a file contains mass and stiffness over a few hundred coordinates, and matrices for the relative motion of contact
faces at quadrature points. The project tmdsimpy publishes its beams in this form, with zero-thickness elements after
Balaji, Dreher, Krack and Brake (2021, https://doi.org/10.1016/j.ymssp.2020.107249): the relative motion of the faces is
L q at the nodes and Q L q at the quadrature points; tractions t there give the forces Lᵀ T t with T = Qᵀ times the
areas.
"""

from faying.fem.condensed.body import CONDENSED, condensed_arrays, names_in
from faying.fem.condensed.names import FRAME, MatrixNames

__all__ = ["CONDENSED", "FRAME", "MatrixNames", "condensed_arrays", "names_in"]
