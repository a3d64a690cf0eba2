"""Places of labels: pure geometry, for any point of a view with a legend at the right and a caption above."""

import itertools

import pytest

from faying_app.scene.labels import label_corner

VIEW, SIZE, AWAY = (675, 400), (90.0, 31.0), (8.0, 6.0)
LEGEND, CAPTION = (501.0, 117.0, 663.0, 385.0), (12.0, 350.0, 420.0, 390.0)


def _overlap(a, b):
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _box(corner):
    return (*corner, corner[0] + SIZE[0], corner[1] + SIZE[1])


def test_a_label_stands_up_and_right_of_its_point_where_there_is_room():
    assert label_corner((100, 100), SIZE, AWAY, VIEW, [LEGEND, CAPTION]) == (108, 106)


@pytest.mark.parametrize(
    ("point", "corner"),
    [
        ((480, 200), (382, 206)),  # the legend is at the right
        ((660, 60), (562, 66)),  # so is the border
        ((100, 330), (108, 293)),  # the caption is above
        ((480, 330), (382, 293)),  # both
    ],
)
def test_it_turns_to_the_side_that_is_free(point, corner):
    assert label_corner(point, SIZE, AWAY, VIEW, [LEGEND, CAPTION]) == corner


def test_wherever_the_point_is_its_label_is_inside_and_covers_neither_plate_nor_point():
    for x, y in itertools.product(range(0, VIEW[0] + 1, 5), range(0, VIEW[1] + 1, 5)):
        box = _box(label_corner((x, y), SIZE, AWAY, VIEW, [LEGEND, CAPTION]))
        assert min(box[0], box[1]) >= 0 and box[2] <= VIEW[0] and box[3] <= VIEW[1], (x, y)
        for taken in (LEGEND, CAPTION, (x, y, x, y)):
            assert not _overlap(box, taken), (x, y)
        far = max(box[0] - x, x - box[2], box[1] - y, y - box[3])
        near = any(p[0] - 120 < x < p[2] + 120 and p[1] - 60 < y for p in (LEGEND, CAPTION))
        assert far <= (220 if near else 10), (x, y)


def test_that_of_a_point_out_of_sight_is_out_of_sight_too():
    assert label_corner((700, 200), SIZE, AWAY, VIEW, [LEGEND]) == (708, 206)


def test_a_view_without_room_keeps_the_label_at_its_point():
    assert label_corner((30, 20), SIZE, AWAY, (80, 40), [LEGEND]) == (38, 26)
