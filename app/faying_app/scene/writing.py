"""Writing over the scene: text with a halo in the colour of the background instead of a box behind it."""

from functools import lru_cache

import numpy as np
import vtkmodules.vtkRenderingFreeType  # noqa: F401 - draws the letters
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import VTK_UNSIGNED_CHAR, vtkDataArray, vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkImageData, vtkPolyData
from vtkmodules.vtkRenderingCore import (
    vtkPolyDataMapper2D,
    vtkTextProperty,
    vtkTextRenderer,
    vtkTexture,
    vtkTexturedActor2D,
)

# The one scale of sizes (design pixels): titles, what is read, and what is said beside it.
TITLE, TEXT, NOTE = 15.0, 13.0, 11.0
HALO = 0.16  # of the letters' size
_CENTERED, _TOP = 1, 2  # VTK's numbers


class Writing(vtkTexturedActor2D):
    """Text at a place in pixels, said and read as VTK's own text actor.

    The background colour of its text property is that of the halo. `draw` brings the letters into the picture and has
    to run before it is rendered.

    Args:
        is_bold: whether its letters are; kept for whoever chooses another font.
    """

    def __init__(self, *, is_bold: bool = False) -> None:
        self.is_bold = is_bold
        self._words = vtkTextProperty()
        self._words.SetLineSpacing(1.2)
        self._text, self._pixels = "", TEXT
        self._drawn: object = None
        self._size = (0.0, 0.0)
        self._quad, self._places = vtkPolyData(), vtkPoints()
        self._places.SetNumberOfPoints(4)
        self._quad.SetPoints(self._places)
        face, corners = _square()
        self._quad.SetPolys(face)
        self._quad.GetPointData().SetTCoords(corners)
        mapper = vtkPolyDataMapper2D()
        mapper.SetInputData(self._quad)
        self.SetMapper(mapper)
        self._texture = vtkTexture()
        self._texture.SetColorModeToDirectScalars()
        self._texture.InterpolateOff()
        self._texture.RepeatOff()
        self.SetTexture(self._texture)
        self.SetPickable(False)

    def GetTextProperty(self) -> vtkTextProperty:
        """Return font, colours and justification."""
        return self._words

    def SetInput(self, text: str) -> None:
        """Write something else."""
        self._text = text

    def GetInput(self) -> str:
        """Return what is written."""
        return self._text

    def set_pixels(self, pixels: float) -> None:
        """Make the letters that many pixels high."""
        self._pixels = pixels

    @property
    def pixels(self) -> float:
        """How many pixels high the letters are."""
        return self._pixels

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, bottom, right, top of the letters in pixels from the position; zeros when nothing is written."""
        self.draw()
        if not self._text:
            return (0.0, 0.0, 0.0, 0.0)
        (width, height), rim = self._size, _rim(self._pixels)
        left, bottom = self._start()
        return (left + rim, bottom + rim, left + width - rim, bottom + height - rim)

    def draw(self) -> None:
        """Bring the letters into the picture, if they are others than before."""
        words = self._words
        asked = (
            self._text, max(6, round(self._pixels)), words.GetColor(), words.GetBackgroundColor(),
            words.GetFontFile() or "", words.GetBold(), words.GetJustification(), words.GetVerticalJustification(),
        )  # fmt: skip
        if asked == self._drawn:
            return
        self._drawn = asked
        if not self._text:
            self._texture.SetInputData(_blank())
            self._place(0.0, 0.0, 0.0, 0.0)
            return
        image = _image(*asked[:7])
        self._size = image.GetDimensions()[:2]
        self._texture.SetInputData(image)
        left, bottom = self._start()
        self._place(left, bottom, left + self._size[0], bottom + self._size[1])

    def _start(self) -> tuple[float, float]:
        """Return the lower left corner of the picture from the position."""
        (width, height), rim = self._size, _rim(self._pixels)
        across, up = self._words.GetJustification(), self._words.GetVerticalJustification()
        left = -rim if across == 0 else -round(width / 2) if across == _CENTERED else rim - width
        bottom = -rim if up == 0 else -round(height / 2) if up == _CENTERED else rim - height
        return float(left), float(bottom)

    def _place(self, left: float, bottom: float, right: float, top: float) -> None:
        for i, (x, y) in enumerate(((left, bottom), (right, bottom), (right, top), (left, top))):
            self._places.SetPoint(i, x, y, 0.0)
        self._places.Modified()
        self._quad.Modified()


@lru_cache(1)
def _square() -> tuple[vtkCellArray, vtkDataArray]:
    """Return the face of four points that all writing is on, and their places in a picture."""
    face = vtkCellArray()
    face.InsertNextCell(4, (0, 1, 2, 3))
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    return face, numpy_to_vtk(corners, deep=True)


def _rim(pixels: float) -> int:
    """Return the width of the halo in pixels."""
    return max(2, round(HALO * pixels))


@lru_cache(1)
def _blank() -> vtkImageData:
    return _to_vtk(np.zeros((1, 1, 4), np.uint8))


@lru_cache(maxsize=512)
def _image(
    text: str,
    pixels: int,
    colour: tuple[float, float, float],
    halo: tuple[float, float, float],
    font: str,
    bold: int,
    across: int,
) -> vtkImageData:
    """Return the picture of a text with its halo, transparent around it."""
    words = vtkTextProperty()
    words.SetLineSpacing(1.2)
    words.SetColor(1.0, 1.0, 1.0)
    words.SetFontSize(pixels)
    words.SetJustification(across)
    words.SetBold(bold)
    if font:
        words.SetFontFamily(4)  # VTK_FONT_FILE, which Python does not see
        words.SetFontFile(font)
    drawn, size = vtkImageData(), [0, 0]
    vtkTextRenderer.GetInstance().RenderString(words, text, drawn, size, 72)
    width, height, _ = drawn.GetDimensions()
    letters = vtk_to_numpy(drawn.GetPointData().GetScalars()).reshape(height, width, -1)
    rim = _rim(pixels)
    cover = np.zeros((size[1] + 2 * rim, size[0] + 2 * rim))
    cover[rim:-rim, rim:-rim] = letters[: size[1], : size[0], 3] / 255.0
    around = _spread(cover, rim)
    # The letters over their halo (Porter and Duff 1984, "over").
    made = np.empty((*cover.shape, 4))
    seen = cover + around * (1.0 - cover)
    for i in range(3):
        mixed = colour[i] * cover + halo[i] * around * (1.0 - cover)
        made[:, :, i] = np.divide(mixed, seen, out=np.full_like(seen, halo[i]), where=seen > 0)
    made[:, :, 3] = seen
    return _to_vtk(np.round(255.0 * made).astype(np.uint8))


def _spread(cover: np.ndarray, rim: int) -> np.ndarray:
    """Return how much (0 to 1) of the halo is seen: whole beside the letters, fading at its rim."""
    padded, found = np.pad(cover, rim), np.zeros_like(cover)
    rows, columns = cover.shape
    for dy in range(-rim, rim + 1):
        for dx in range(-rim, rim + 1):
            strength = min(1.0, rim + 0.5 - np.hypot(dx, dy))
            if strength > 0.0:
                moved = padded[rim + dy : rim + dy + rows, rim + dx : rim + dx + columns]
                np.maximum(found, 0.92 * strength * moved, out=found)
    return found


def _to_vtk(pixels: np.ndarray) -> vtkImageData:
    height, width, _ = pixels.shape
    image = vtkImageData()
    image.SetDimensions(width, height, 1)
    scalars = numpy_to_vtk(
        np.ascontiguousarray(pixels).reshape(-1, 4), deep=True, array_type=VTK_UNSIGNED_CHAR
    )
    image.GetPointData().SetScalars(scalars)
    return image
