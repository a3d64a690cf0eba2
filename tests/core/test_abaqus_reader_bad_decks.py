"""A bad deck gets one sentence with file, line and what was expected; never anything else."""

import random
from pathlib import Path

import pytest

from faying.errors import FayingError, ReadError
from faying.fem.readers import read_model

DECKS = Path(__file__).parents[1] / "decks"

NODES = "*NODE\n1,0,0,0\n2,1,0,0\n3,0,1,0\n4,0,0,1\n"
TET = NODES + "*ELEMENT, TYPE=C3D4, ELSET=T\n1,1,2,3,4\n"
STEEL = "*MATERIAL, NAME=STEEL\n*ELASTIC\n210000.,.3\n"
BEAM = NODES + "*ELEMENT, TYPE=B31, ELSET=B\n1,1,2\n" + STEEL

# Deck, line of the mistake, words that the sentence must have.
BAD = {
    "node cut off": (NODES.rstrip("1\n").rstrip(",0"), 5, ["cut off", "number, x, y, z", "after 1"]),
    "text in a node": (NODES.replace("2,1,0,0", "2,one,0,0"), 3, ["'one'", "number", "coordinate"]),
    "nan in a node": (NODES.replace("2,1,0,0", "2,nan,0,0"), 3, ["'nan'", "number"]),
    "node number not whole": (NODES.replace("2,1,0,0", "2.5,1,0,0"), 3, ["'2.5'", "node number"]),
    "node number zero": (NODES.replace("2,1,0,0", "0,1,0,0"), 3, ["0", "begin at 1"]),
    "node twice": (NODES + "2,3,3,3\n", 6, ["node 2", "twice", "line 3"]),
    "no elements": (NODES, 1, ["no elements", "*ELEMENT"]),
    "no nodes": ("*HEADING\nempty\n", 1, ["no nodes", "*NODE"]),
    "unknown type": (NODES + "*ELEMENT, TYPE=C3D7\n1,1,2,3,4\n", 6, ["'C3D7'", "C3D10"]),
    "plane elements": (NODES + "*ELEMENT, TYPE=CPS4\n1,1,2,3,4\n", 6, ["CPS4", "no body", "three dimensions"]),
    "no type": (NODES + "*ELEMENT, ELSET=A\n1,1,2,3,4\n", 6, ["TYPE"]),
    "element cut off": (NODES + "*ELEMENT, TYPE=C3D4\n1,1,2,3", 7, ["element 1", "3 nodes", "cut off", "expected 4"]),
    # Surplus numbers behind the last node in its line do not count; in a line of their own they begin an element.
    "too many nodes": (
        NODES + "*ELEMENT, TYPE=C3D4\n1,1,2,3,4,\n2\n", 8, ["element 2", "0 nodes", "expected 4"],
    ),
    "text behind the nodes": (NODES + "*ELEMENT, TYPE=C3D4\n1,1,2,3,4,x\n", 7, ["'x'", "node number"]),
    "too few nodes": (
        NODES + "*ELEMENT, TYPE=C3D4\n1,1,2,3\n2,1,2,3,4\n", 7, ["element 1", "3 nodes", "expected 4"],
    ),
    "text in an element": (NODES + "*ELEMENT, TYPE=C3D4\n1,1,2,x,4\n", 7, ["'x'", "node number"]),
    "element with a missing node": (NODES + "*ELEMENT, TYPE=C3D4\n1,1,2,3,77\n", 7, ["element 1", "node 77"]),
    "element twice": (TET + "1,1,2,3,4\n", 8, ["element 1", "twice", "line 7"]),
    "set with a missing node": (TET + "*NSET, NSET=A\n1,2\n3,55\n", 10, ["node 55", "does not exist"]),
    "surface of an endless element": (TET + f"*SURFACE, NAME=S\n{'9' * 5000},S1\n", 9, ["999", "number of an element"]),
    "set of an unknown set": (TET + "*NSET, NSET=A\n1,OTHER\n", 9, ["node set OTHER"]),
    "set without a name": (TET + "*NSET\n1\n", 8, ["NSET="]),
    "set within itself": (TET + "*NSET, NSET=A\nB\n*NSET, NSET=B\nA\n", 11, ["contains itself"]),
    "range of nothing": (TET + "*ELSET, ELSET=A, GENERATE\n5,9\n", 9, ["5 to 9"]),
    "range backwards": (TET + "*ELSET, ELSET=A, GENERATE\n9,5\n", 9, ["first, last, step"]),
    "range with text": (TET + "*ELSET, ELSET=A, GENERATE\n1,end\n", 9, ["'end'"]),
    "set of an unknown instance": (TET + "*NSET, NSET=A, INSTANCE=I\n1\n", 8, ["instance I"]),
    "surface of an unknown set": (TET + "*SURFACE, NAME=S\nNOSET, S1\n", 9, ["element set NOSET", "T"]),
    "surface of a missing element": (TET + "*SURFACE, NAME=S\n1,S1\n7,S1\n", 10, ["element 7"]),
    "surface with a wrong face": (TET + "*SURFACE, NAME=S\n1,S5\n", 9, ["'S5'", "S1 to S4"]),
    "surface with no face at all": (TET + "*SURFACE, NAME=S\n1,SPOS\n", 9, ["'SPOS'", "S1 to S4"]),
    "face of a beam": (BEAM + "*SURFACE, NAME=S\nB,S1\n", 12, ["B31", "no face"]),
    "surface twice": (TET + "*SURFACE, NAME=S\n1,S1\n*SURFACE, NAME=s\n1,S2\n", 10, ["S", "twice", "line 8"]),
    "surface made of itself": (TET + "*SURFACE, NAME=S, COMBINE=UNION\nS\n", 9, ["made of itself"]),
    "section of an unknown set": (TET + STEEL + "*SOLID SECTION, ELSET=X, MATERIAL=STEEL\n", 11, ["element set X"]),
    "unknown material": (TET + STEEL + "*SOLID SECTION, ELSET=T, MATERIAL=IRON\n", 11, ["material IRON", "STEEL"]),
    "elastic outside": (TET + "*ELASTIC\n1.\n", 8, ["outside of a material"]),
    "text in a material": (TET + "*MATERIAL, NAME=A\n*ELASTIC\nsoft\n", 10, ["'soft'", "number"]),
    "elastic without values": (TET + "*MATERIAL, NAME=A\n*ELASTIC\n*DENSITY\n1.\n", 9, ["no values"]),
    "beam with a solid section": (BEAM + "*SOLID SECTION, ELSET=B, MATERIAL=STEEL\n", 11, ["element 1", "beam"]),
    "unknown beam shape": (
        BEAM + "*BEAM SECTION, ELSET=B, MATERIAL=STEEL, SECTION=HEX\n1.,1.\n", 11, ["HEX", "CIRC"],
    ),
    "beam without dimensions": (BEAM + "*BEAM SECTION, ELSET=B, MATERIAL=STEEL, SECTION=CIRC\n", 11, ["dimensions"]),
    "pipe thicker than its radius": (
        BEAM + "*BEAM SECTION, ELSET=B, MATERIAL=STEEL, SECTION=PIPE\n1.,2.\n", 12, ["PIPE", "thickness"],
    ),
    "coupling of an unknown surface": (
        TET + "*COUPLING, CONSTRAINT NAME=C, REF NODE=1, SURFACE=S\n*KINEMATIC\n", 8, ["surface S"],
    ),
    "coupling without a kind": (
        TET + "*SURFACE, NAME=S\n1,S1\n*COUPLING, CONSTRAINT NAME=C, REF NODE=4, SURFACE=S\n", 10,
        ["*KINEMATIC or *DISTRIBUTING"],
    ),
    "coupling of component 7": (
        TET + "*SURFACE, NAME=S\n1,S1\n*COUPLING, CONSTRAINT NAME=C, REF NODE=4, SURFACE=S\n*KINEMATIC\n1,7\n", 12,
        ["'1, 7'", "1 to 6"],
    ),
    "reference of two nodes": (
        TET + "*NSET, NSET=R\n1,2\n*RIGID BODY, REF NODE=R, ELSET=T\n", 10, ["R", "2 nodes", "expected one"],
    ),
    "kinematic alone": (TET + "*KINEMATIC\n1,6\n", 8, ["*COUPLING before it"]),
    "mpc with too few fields": (TET + "*MPC\nBEAM,1\n", 9, ["BEAM, dependent node, independent node"]),
    "mpc of unequal sets": (
        TET + "*NSET,NSET=A\n1,2\n*NSET,NSET=B\n1,2,3\n*MPC\nBEAM,B,A\n", 13, ["3 dependent and 2 independent"],
    ),
    "equation of no terms": (TET + "*EQUATION\n0\n", 9, ["found 0", "number of terms"]),
    "equation of too many terms": (TET + "*EQUATION\n2\n1,1,1.,2,1,-1.,3,1,1.\n", 9, ["3 terms", "expected 2"]),
    "equation of component 8": (
        TET + "*NSET,NSET=A\n1\n*TRANSFORM,NSET=A\n1,0,0,0,1,0\n*EQUATION\n2\n1,8,1.,2,1,-1.\n", 14,
        ["found 8", "component 1 to 6"],
    ),
    "equation of a blank line": (TET + "*EQUATION\n,\n", 9, ["found ''", "number of terms"]),
    "coupling of a blank line": (TET + "*KINEMATIC COUPLING, REF NODE=1\n,\n", 9, ["no node set without a name"]),
    "section of a blank line": (BEAM + "*BEAM SECTION, ELSET=B, MATERIAL=STEEL, SECTION=CIRC\n,\n", 11, ["dimensions"]),
    "missing include": (TET + "*INCLUDE, INPUT=nowhere.inp\n", 8, ["nowhere.inp", "does not exist"]),
    "include of itself": (TET + "*INCLUDE, INPUT=bad.inp\n", 8, ["includes itself"]),
    "include without a file": (TET + "*INCLUDE\n", 8, ["INPUT="]),
    "instance of an unknown part": (TET + "*INSTANCE, NAME=I, PART=P\n*END INSTANCE\n", 8, ["part P"]),
    "part not placed": ("*PART, NAME=P\n" + TET + "*END PART\n", 1, ["part P", "*INSTANCE"]),
    "part not closed": ("*PART, NAME=P\n" + TET, 1, ["never closed"]),
    "instance with half an axis": (
        "*PART, NAME=P\n" + TET + "*END PART\n*INSTANCE, NAME=I, PART=P\n0,0,0\n1,2,3\n*END INSTANCE\n", 12,
        ["7 numbers"],
    ),
    "no deck at all": ("solid cube\nfacet normal 0 0 1\n", None, ["no keyword card"]),
    "text before the first card": ("CUBE\n" + TET, 1, ["'CUBE'", "keyword card"]),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_bad_deck_gets_a_sentence_with_its_line(case: str, tmp_path: Path) -> None:
    text, line, words = BAD[case]
    deck = tmp_path / "bad.inp"
    deck.write_text(text)
    with pytest.raises(ReadError) as caught:
        read_model(deck)
    error = caught.value
    place = f"bad.inp, line {line}: " if line else "bad.inp: "
    assert error.message.startswith(place), str(error)
    assert all(word in str(error) for word in words), str(error)
    assert error.message.endswith((".", "?")), str(error)
    assert "\n" not in str(error)


def test_mistake_in_an_included_file_names_that_file(tmp_path: Path) -> None:
    (tmp_path / "main.inp").write_text("*INCLUDE, INPUT=mesh/nodes.inp\n")
    (tmp_path / "mesh").mkdir()
    (tmp_path / "mesh" / "nodes.inp").write_text("*NODE\n1,0,0,zero\n")
    with pytest.raises(ReadError, match=r"nodes\.inp, line 2: found 'zero'"):
        read_model(tmp_path / "main.inp")


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("missing.inp", None, "no such file"),
        ("empty.inp", b"", "empty"),
        ("blank.inp", b" \n\n", "empty"),
        ("database.inp", b"*NODE\n1,0,0,0\n\0\0\x01", "line 3: this is no text"),
        ("model.step", b"ISO-10303-21;", "geometry"),
        ("model", b"*NODE\n", "nothing"),
    ],
)
def test_files_that_are_no_decks(name: str, content: bytes | None, words: str, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(ReadError) as caught:
        read_model(tmp_path / name)
    assert words in str(caught.value) and name in str(caught.value)


def test_a_folder_is_no_deck(tmp_path: Path) -> None:
    (tmp_path / "folder.inp").mkdir()
    with pytest.raises(ReadError, match="folder"):
        read_model(tmp_path / "folder.inp")


@pytest.mark.parametrize("name", ["two_bricks.inp", "assembly.inp", "couplings.inp", "beams.inp"])
def test_damaged_decks_never_raise_anything_but_a_sentence(name: str, tmp_path: Path) -> None:
    text = (DECKS / name).read_text()
    dice = random.Random(name)
    deck = tmp_path / "damaged.inp"
    read = refused = 0
    for _ in range(300):
        at, length = dice.randrange(len(text)), dice.randrange(1, 9)
        damage = dice.choice(["", ",", "*", "\n", "x", "-1", "=", '"', "1e999", ",,,", text[:length]])
        damaged = text[:at] if dice.random() < 0.3 else text[:at] + damage + text[at + length :]
        deck.write_text(damaged)
        try:
            read_model(deck)
            read += 1
        except FayingError as error:
            assert "\n" not in str(error)
            refused += 1
    assert read > 20 and refused > 20  # both ways were walked


@pytest.mark.parametrize(("place", "reach"), [("1e308", ""), ("1.", ", POSITION TOLERANCE=1e300")])
def test_ties_of_what_is_no_place_get_a_sentence(tmp_path: Path, place: str, reach: str) -> None:
    """Squares of such distances are infinite."""
    far = "".join(
        f"{10 + n},{x},{y},{z}\n" for n, (x, y, z) in enumerate(((0, 0, -1), (1, 0, -1), (0, 1, -1)))
    )
    deck = NODES.replace("4,0,0,1", f"4,0,0,{place}") + far + "20,0,0,-3\n"
    deck += "*ELEMENT, TYPE=C3D4, ELSET=T\n1,1,2,3,4\n2,20,10,11,12\n"
    deck += "*SURFACE, NAME=A\n1,\n*SURFACE, NAME=B\n2,\n" + f"*TIE, NAME=X{reach}\nA,B\n"
    path = tmp_path / "tied.inp"
    path.write_text(deck)
    if reach:
        assert read_model(path).element_ids.size == 2
        return
    with pytest.raises(FayingError, match=r"Node 4 lies at .* which is no place"):
        read_model(path)
