"""Contract of members of all families: kind, plain values, self-describing parameters."""

from typing import Any, ClassVar

import pytest

from faying.params import build, fields_of
from faying.registry import Registry
from faying.units import QUANTITIES


class Contract:
    """Tests of the members of one family; pytest collects them from a subclass called ``Test…``.

    Attributes:
        family: the registry.
        kinds: kinds of the tested members; all if empty.
        without: excluded kinds, which need more than the contract provides.
    """

    family: ClassVar[Registry[Any]]
    kinds: ClassVar[tuple[str, ...]] = ()
    without: ClassVar[tuple[str, ...]] = ()

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Run each test for each member."""
        if "kind" in metafunc.fixturenames:
            metafunc.parametrize(
                "kind", self.kinds or tuple(kind for kind in self.family if kind not in self.without)
            )


class MemberContract(Contract):
    """For families whose members are decisions.

    Attributes:
        samples: by kind, parameters of the tested member, overriding those of its `example`.
        common: parameters for all members that have them.
    """

    samples: ClassVar[dict[str, dict[str, Any]]] = {}
    common: ClassVar[dict[str, Any]] = {}

    @pytest.fixture
    def member(self, kind: str) -> Any:
        """The member that is tried."""
        chosen = self.family[kind]
        common = {name: value for name, value in self.common.items() if name in chosen.model_fields}
        return build(chosen, chosen.example() | common | self.samples.get(kind, {}))

    @staticmethod
    def changed(member: Any, changes: dict[str, Any]) -> Any:
        """Return the member with other parameters, given as in a file."""
        words = {name: value for name, value in member.model_dump().items() if name != "kind"}
        return build(type(member), words | changes)

    def test_kind_and_words(self, kind: str, member: Any) -> None:
        """It is found under its kind, has a title in words of its user, and its words make it again."""
        words = member.model_dump(mode="json")
        assert words.pop("kind") == kind == member.kind
        assert self.family[kind] is type(member)
        assert build(type(member), words) == member
        assert member.title
        # A class's name is no title, unless the kind says the same: "LuGre".
        assert member.title != type(member).__name__ or member.title.lower() == kind.replace("_", "")

    def test_every_parameter_says_what_it_is(self, member: Any) -> None:
        """Title, meaning and a known quantity: the form and the file follow from them."""
        for name, field, extra in fields_of(member):
            assert field.title, name
            assert field.description, name
            quantity = str(extra.get("quantity", ""))
            assert not quantity or quantity in QUANTITIES, f"{name}: {quantity}"
