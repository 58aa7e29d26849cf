"""Pages of one PDF drawn twice, with and without their text, and the glyphs' own boxes, by somebody else's code.

    independent_ink.py LIBPDFIUM FILE PASSWORD_FILE|- DPI PAGE...

Writes one record a page (from 1) to standard output, little-endian: u32 page, u32 width, u32 height, u32 code points;
four f32 a code point (x0, y0, x1, y1 in pixels of the picture, y down; NaN for none); the pixels of the page, BGRx; the
pixels of the page with every text object switched off. What differs between the two pictures is the ink of the text:
no ruling, no picture, no ground under the letters can be taken for it.

Boxes are FPDFText_GetCharBox and nothing else, taken into the picture by FPDF_PageToDevice, which the worker does not
use. The code points are numbered by the rule that independent_layer.py has.

Deliberately not here: judging anything.
"""

import array
import ctypes
import struct
import sys

import independent_layer

TEXT, FORM = 1, 5
BGRX, ANNOTATIONS = 3, 1
NONE = (float("nan"),) * 4


class PageBoxes(independent_layer.PageText):
    """As there, with the box itself where there it is only said that there is one."""

    def boxed(self, index):
        return tuple(side.value for side in self.sides) if super().boxed(index) else None


def text_off(library, thing, depth, count, get):
    for index in range(count):
        handle = ctypes.c_void_p(get(thing, index))
        kind = library.FPDFPageObj_GetType(handle)
        if kind == TEXT:
            library.FPDFPageObj_SetIsActive(handle, 0)
        elif kind == FORM and depth < 16:
            text_off(library, handle, depth + 1, library.FPDFFormObj_CountObjects(handle), library.FPDFFormObj_GetObject)


def drawn(library, page, width, height):
    pixels = (ctypes.c_ubyte * (width * height * 4))()
    ctypes.memset(pixels, 0xFF, len(pixels))
    bitmap = ctypes.c_void_p(library.FPDFBitmap_CreateEx(width, height, BGRX, pixels, width * 4))
    library.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, ANNOTATIONS)
    library.FPDFBitmap_Destroy(bitmap)
    return pixels


def in_picture(library, page, width, height, box):
    """Where a box of the page's own space stands in its picture, in pixels (asked for in 64ths of one)."""
    left, right, bottom, top = box
    fine = 64
    x, y = ctypes.c_int(), ctypes.c_int()
    corners = []
    for own_x, own_y in ((left, bottom), (right, top)):
        library.FPDF_PageToDevice(
            page, 0, 0, width * fine, height * fine, 0, own_x, own_y, ctypes.byref(x), ctypes.byref(y)
        )
        corners.append((x.value / fine, y.value / fine))
    (xa, ya), (xb, yb) = corners
    return min(xa, xb), min(ya, yb), max(xa, xb), max(ya, yb)


def main(arguments):
    library = independent_layer.load(arguments[0])
    library.FPDFBitmap_CreateEx.restype = ctypes.c_void_p
    library.FPDF_GetPageWidthF.restype = ctypes.c_float
    library.FPDF_GetPageHeightF.restype = ctypes.c_float
    library.FPDF_PageToDevice.argtypes = (
        [ctypes.c_void_p] + [ctypes.c_int] * 5 + [ctypes.c_double] * 2 + [ctypes.c_void_p] * 2
    )
    password = None
    if arguments[2] != "-":
        with open(arguments[2], encoding="utf-8") as file:
            password = file.read().splitlines()[0].encode("utf-8")
    with open(arguments[1], "rb") as file:
        data = file.read()
    kept = ctypes.create_string_buffer(data, len(data))
    document = ctypes.c_void_p(library.FPDF_LoadMemDocument64(kept, ctypes.c_size_t(len(data)), password))
    scale = float(arguments[3]) / 72
    for number in map(int, arguments[4:]):
        page = ctypes.c_void_p(library.FPDF_LoadPage(document, number - 1))
        text = library.FPDFText_LoadPage(page)
        width = max(round(library.FPDF_GetPageWidthF(page) * scale), 1)
        height = max(round(library.FPDF_GetPageHeightF(page) * scale), 1)
        boxes = [
            in_picture(library, page, width, height, box) if box else NONE
            for _, box in PageBoxes(library, text).layer()
        ]
        sides = array.array("f", [side for box in boxes for side in box])
        if sys.byteorder == "big":
            sides.byteswap()
        library.FPDFText_ClosePage(ctypes.c_void_p(text))
        with_text = drawn(library, page, width, height)
        text_off(library, page, 0, library.FPDFPage_CountObjects(page), library.FPDFPage_GetObject)
        without = drawn(library, page, width, height)
        library.FPDF_ClosePage(page)
        out = sys.stdout.buffer
        out.write(struct.pack("<4I", number, width, height, len(boxes)))
        out.write(sides.tobytes())
        out.write(with_text)
        out.write(without)
        out.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
