"""How long others take to read a document's text with a box for each character.

    bench_others.py READER SECONDS FILE...        READER is pypdfium2, pymupdf or pdfplumber

Prints a line for each file that the reader opened: seconds, and its name. Timed is what Pincite's own measurement times:
from the open document to its last page. Each is called as its documentation says for text with boxes of characters; of
three readings of a file the middle one counts, of a slow one the first. No file is begun once SECONDS are over. Run in a
virtual environment that has the reader (`bench_layer_against_a_bare_loop` makes one).

Deliberately not here: judging what they read.
"""

import sys
import time


def pypdfium2(path):
    import pypdfium2

    document = pypdfium2.PdfDocument(path)
    yield
    for page in document:
        text = page.get_textpage()
        text.get_text_range()
        for index in range(text.count_chars()):
            text.get_charbox(index)
        text.close()
        page.close()


def pymupdf(path):
    import pymupdf

    document = pymupdf.open(path)
    yield
    for page in document:
        page.get_text("rawdict")


def pdfplumber(path):
    import pdfplumber

    with pdfplumber.open(path) as document:
        yield
        for page in document.pages:
            page.chars
            page.close()


def seconds(reader, path):
    reading = reader(path)
    next(reading)
    began = time.process_time()
    for _ in reading:
        pass
    return time.process_time() - began


def main(reader, allowed, paths):
    reader = {"pypdfium2": pypdfium2, "pymupdf": pymupdf, "pdfplumber": pdfplumber}[reader]
    until = time.monotonic() + float(allowed)
    for path in paths:
        if time.monotonic() > until:
            return
        try:
            took = [seconds(reader, path)]
            while len(took) < 3 and took[0] < 2:
                took.append(seconds(reader, path))
        except Exception as error:  # What they can't read is no matter here.
            print(f"{path}: {error}", file=sys.stderr)
            continue
        print(sorted(took)[len(took) // 2], path, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
