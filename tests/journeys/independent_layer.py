"""The text layer of one PDF, read a second time by somebody else's code.

    independent_layer.py LIBPDFIUM FILE [PASSWORD_FILE]

Prints one JSON object: pages, chars, boxed, unboxed, layer_sha256, scanned (page numbers), or {"error": N} with PDFium's
error number where the file can't be opened. The journey over the corpus compares it with what `pincite ingest` says.

Why in Python, on the bare library: it shares no line with the worker, so a mistake in the worker's loop can't hide in its
own test. Written from the rule of the text layer alone: pages joined by U+000C; code by code from FPDFText_GetUnicode; a
generated CR LF is one U+000A without a box; a line-end hyphen is U+00AD and an unboxed U+000A; surrogate halves are
joined; no valid code point, and every other control character, is U+FFFD. A box is what FPDFText_GetCharBox gives with
right > left and top > bottom, unless the character was generated.

Deliberately not here: limits on time and memory (whoever starts this ends it), positions of boxes, reading order.
"""

import ctypes
import hashlib
import json
import sys
import unicodedata

HANDLES = (
    "FPDF_LoadMemDocument64 FPDF_LoadPage FPDFText_LoadPage FPDFPage_GetObject FPDFFormObj_GetObject"
).split()
IMAGE, FORM = 3, 5


class Configuration(ctypes.Structure):
    """FPDF_LIBRARY_CONFIG up to what version 2 knows, and room for what later versions may read."""

    _fields_ = [
        ("version", ctypes.c_int),
        ("user_font_paths", ctypes.POINTER(ctypes.c_char_p)),
        ("isolate", ctypes.c_void_p),
        ("slot", ctypes.c_uint),
        ("rest", ctypes.c_uint64 * 8),
    ]


def load(path):
    """The library, told of an empty list of font folders: fonts of the machine would change text and boxes."""
    library = ctypes.CDLL(path)
    for name in HANDLES:
        getattr(library, name).restype = ctypes.c_void_p
    library.FPDFText_GetUnicode.restype = ctypes.c_uint
    library.FPDF_GetLastError.restype = ctypes.c_ulong
    no_folders = (ctypes.c_char_p * 1)(None)
    configuration = Configuration(version=2, user_font_paths=no_folders)
    library.FPDF_InitLibraryWithConfig(ctypes.byref(configuration))
    return library


def character_of(code):
    """The code point of a code, or U+FFFD."""
    if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    character = chr(code)
    return "\ufffd" if unicodedata.category(character) == "Cc" else character


class PageText:
    """The characters of one page as PDFium numbers them."""

    def __init__(self, library, handle):
        self.library = library
        self.handle = ctypes.c_void_p(handle)
        self.count = max(library.FPDFText_CountChars(self.handle), 0)
        self.codes = [library.FPDFText_GetUnicode(self.handle, index) for index in range(self.count)]
        self.sides = [ctypes.c_double() for _ in range(4)]
        self.pointers = [ctypes.byref(side) for side in self.sides]

    def generated(self, index):
        return self.library.FPDFText_IsGenerated(self.handle, index) == 1

    def boxed(self, index):
        if self.generated(index):
            return False
        found = self.library.FPDFText_GetCharBox(self.handle, index, *self.pointers)
        left, right, bottom, top = (side.value for side in self.sides)
        return bool(found) and right > left and top > bottom

    def layer(self):
        """Pairs of a code point and whether it has a box."""
        pairs = []
        index = 0
        while index < self.count:
            code = self.codes[index]
            following = self.codes[index + 1] if index + 1 < self.count else None
            used = 1
            if code in (0x0D, 0x0A) and self.generated(index):
                pairs.append(("\n", False))
                used = 2 if (code, following) == (0x0D, 0x0A) else 1
            elif code == 0x02 and self.library.FPDFText_IsHyphen(self.handle, index) == 1:
                pairs.append(("\u00ad", self.boxed(index)))
                # PDFium leaves out the line break after such a hyphen; where it does not, that one is it.
                if following not in (0x0D, 0x0A):
                    pairs.append(("\n", False))
            elif 0xD800 <= code <= 0xDBFF and following is not None and 0xDC00 <= following <= 0xDFFF:
                joined = 0x10000 + (code - 0xD800) * 0x400 + (following - 0xDC00)
                pairs.append((character_of(joined), self.boxed(index) or self.boxed(index + 1)))
                used = 2
            else:
                pairs.append((character_of(code), self.boxed(index)))
            index += used
        return pairs


def draws_image(library, thing, depth, count, get):
    for index in range(count):
        object_handle = ctypes.c_void_p(get(thing, index))
        kind = library.FPDFPageObj_GetType(object_handle)
        if kind == IMAGE:
            return True
        if kind == FORM and depth < 4:
            inner = library.FPDFFormObj_CountObjects(object_handle)
            if draws_image(library, object_handle, depth + 1, inner, library.FPDFFormObj_GetObject):
                return True
    return False


def read(library, data, password):
    kept = ctypes.create_string_buffer(data, len(data))
    document = library.FPDF_LoadMemDocument64(kept, ctypes.c_size_t(len(data)), password)
    if not document:
        return {"error": library.FPDF_GetLastError()}
    document = ctypes.c_void_p(document)
    pages, boxed, scanned = [], 0, []
    for number in range(library.FPDF_GetPageCount(document)):
        page = library.FPDF_LoadPage(document, number)
        text = library.FPDFText_LoadPage(ctypes.c_void_p(page)) if page else None
        if not text:
            pages.append("")
            continue
        page = ctypes.c_void_p(page)
        pairs = PageText(library, text).layer()
        words = "".join(character for character, _ in pairs)
        boxed += sum(has_box for _, has_box in pairs)
        objects = library.FPDFPage_CountObjects(page)
        if not words.strip() and draws_image(library, page, 0, objects, library.FPDFPage_GetObject):
            scanned.append(number + 1)
        pages.append(words)
        library.FPDFText_ClosePage(ctypes.c_void_p(text))
        library.FPDF_ClosePage(page)
    layer = "\f".join(pages)
    return {
        "pages": len(pages),
        "chars": len(layer),
        "boxed": boxed,
        "unboxed": len(layer) - boxed,
        "layer_sha256": hashlib.sha256(layer.encode("utf-8")).hexdigest(),
        "scanned": scanned,
    }


def main(arguments):
    password = None
    if len(arguments) > 2:
        with open(arguments[2], encoding="utf-8") as file:
            password = file.read().splitlines()[0].encode("utf-8")
    with open(arguments[1], "rb") as file:
        data = file.read()
    print(json.dumps(read(load(arguments[0]), data, password)))


if __name__ == "__main__":
    main(sys.argv[1:])
