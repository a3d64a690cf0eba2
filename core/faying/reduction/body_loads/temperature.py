"""Temperature changes that cause thermal expansion."""

from pathlib import Path
from typing import ClassVar

import numpy as np

from faying.errors import ModelError, ReadError, there_are
from faying.fem.model import FeModel
from faying.fem.thermal import element_nodes, thermal_forces
from faying.input_files import content_of_file
from faying.params import Spec, parameter
from faying.reduction.body_loads import BodyLoad, LoadedBody, body_loads


class SetTemperatureSpec(Spec):
    """A temperature change of the elements of a set."""

    element_set: str = parameter(
        title="Element set", choices="element_set", meaning="Elements that all have the change."
    )
    change: float = parameter(
        0.0,
        title="Change of temperature",
        quantity="temperature_change",
        meaning="Against the stress-free state.",
    )


@body_loads.register("temperature")
class TemperatureLoad(BodyLoad):
    """A temperature field relative to the stress-free state: uniform, by element sets, or from a file.

    The body expands by its materials' coefficients of thermal expansion; restrained expansion causes stresses.
    """

    title: ClassVar[str] = "Temperature"

    change: float = parameter(
        0.0, title="Change of temperature", quantity="temperature_change",
        meaning="Of all that the sets and the file do not name.",
    )  # fmt: skip
    of_sets: tuple[SetTemperatureSpec, ...] = parameter(
        (), title="Changes by sets", meaning="Element sets with a change of their own; later ones override."
    )
    file: str = parameter(
        "", title="Temperature file", choices="file", advanced=True,
        meaning="Text with a node number and its temperature in each line, parted by a comma or blanks; # begins a "
        "remark.",
    )  # fmt: skip
    reference: float = parameter(
        0.0, title="Reference temperature", quantity="temperature_change", advanced=True,
        meaning="At which the body is free of stress, taken off the temperatures of the file.",
    )  # fmt: skip

    def forces(self, on: LoadedBody) -> np.ndarray:
        """Return (n_dofs,) thermal forces, equivalent to the free thermal expansion."""
        if on.imported:
            raise ModelError(
                "The stiffness comes from another program, which alone knows what hinders the growth.",
                "Let the deck's own elements make the stiffness, or apply nodal forces.",
            )
        return thermal_forces(on.model, on.matrices.dofs, self.temperatures(on.model))

    def temperatures(self, model: FeModel) -> np.ndarray:
        """Return (n,) temperature changes at the nodes of all elements, element by element.

        Raises:
            ModelError: for a set that does not exist, or a file that cannot be read.
            ReadError: for a line of the file without a node of the deck and a number.
        """
        at_nodes = np.full(len(model.nodes), self.change)
        if self.file:
            rows, values = self._from_file(model)
            at_nodes[rows] = values - self.reference
        found = at_nodes[element_nodes(model)]
        sizes = np.repeat(
            [b.connectivity.shape[1] for b in model.blocks], [len(b.ids) for b in model.blocks]
        ).astype(np.int64)
        starts = np.concatenate([[0], np.cumsum(sizes)])
        known = {name.upper(): rows for name, rows in model.element_sets.items()}
        for each in self.of_sets:
            elements = known.get(each.element_set.strip().upper())
            if elements is None:
                raise ModelError(
                    f"The deck has no element set {each.element_set!r} for a temperature.",
                    there_are(each.element_set, sorted(model.element_sets), "Element sets"),
                )
            for element in elements:
                found[starts[element] : starts[element + 1]] = each.change
        return np.asarray(found)

    def _from_file(self, model: FeModel) -> tuple[np.ndarray, np.ndarray]:
        """Return rows and temperatures of the nodes in the file; raises as `temperatures`."""
        path = Path(self.file)
        try:
            lines = content_of_file(path).decode("utf-8", errors="replace").splitlines()
        except OSError as error:
            raise ModelError(
                f"The file {path} cannot be read ({error.strerror}).", "Choose it again."
            ) from None
        row_of = {int(number): row for row, number in enumerate(model.node_ids)}
        rows, values = [], []
        for number, line in enumerate(lines, 1):
            words = line.split("#")[0].replace(",", " ").replace(";", " ").split()
            if not words:
                continue
            try:
                node, value = int(words[0]), float(words[1])
            except (ValueError, IndexError):
                raise ReadError(
                    path,
                    number,
                    "this line has no node number and temperature.",
                    "Mend it, or begin it with #.",
                ) from None
            if node not in row_of or not np.isfinite(value):
                what = (
                    f"there is no node {node} in the deck"
                    if node not in row_of
                    else "the temperature is no number"
                )
                raise ReadError(path, number, f"{what}.", "Mend this line.")
            rows.append(row_of[node])
            values.append(value)
        return np.array(rows, np.int64), np.array(values, float)
