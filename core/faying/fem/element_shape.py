"""The error of an element that has no volume or length."""

from faying.errors import ModelError


class ElementShapeError(ModelError):
    """An element so distorted that it has no volume or length somewhere.

    Attributes:
        index: its position among the elements that were given; callers that know the deck's number name that instead.
        problem: what is wrong, to follow the element's name in a sentence.
    """

    def __init__(self, index: int, problem: str) -> None:
        super().__init__(f"Element {index} (counted from 0) {problem}.", "Repair the mesh there.")
        self.args = (index, problem)
        self.index, self.problem = index, problem
