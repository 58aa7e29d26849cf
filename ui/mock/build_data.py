#!/usr/bin/env python3
"""Make the data that the window's stand-in shows in a plain browser.

    python ui/mock/build_data.py FOLDER      needs pypdfium2 and pillow

Reads the fixtures, writes FOLDER/data.json (documents with page sizes, layers, boxes, sections; records with checked
citations) and FOLDER/<sha>/<page>.png. Only for developing the window: what it checks is close to what Pincite checks,
not the same. Deliberately not here: anything that a test of Pincite rests on.
"""

import ctypes
import hashlib
import json
import re
import sys
import unicodedata
from pathlib import Path

import pypdfium2 as pdfium
import pypdfium2.raw as raw

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "fixtures"
TITLES = {
    "drug-label": ("drug-label", "Velorastine label"),
    "pliego-2026-014": ("pliego-2026-014", "Pliego 2026-014"),
    "sop-114-rev-a": ("sop-114", "SOP-114 rev A"),
    "sop-114-rev-b": ("sop-114", "SOP-114 rev B"),
    "sop-114-rev-c": ("sop-114", "SOP-114 rev C"),
    "sop-114-rev-d": ("sop-114", "SOP-114 rev D"),
}
# Texts have neither pages nor boxes. File, title, and what a record of it quotes.
TEXTS = {
    "lending-policy.md": ("Lending policy", "not more than EUR 400,000"),
    "complaints-procedure.txt": ("Complaints procedure", "The file is kept for 5 years from the day it was closed."),
}


def read_page(page):
    """Text and one box per code point, the origin at the top left."""
    height = page.get_height()
    text = raw.FPDFText_LoadPage(page.raw)
    out, boxes, index = [], [], 0
    count = raw.FPDFText_CountChars(text)
    codes = [raw.FPDFText_GetUnicode(text, i) for i in range(count)]
    while index < count:
        code = codes[index]
        box = None
        if code == 13 and index + 1 < count and codes[index + 1] == 10:
            out.append("\n")
            boxes.append(None)
            index += 2
            continue
        edges = [ctypes.c_double() for _ in range(4)]
        raw.FPDFText_GetCharBox(text, index, *[ctypes.byref(edge) for edge in edges])
        left, right, bottom, top = (edge.value for edge in edges)
        if right > left:
            box = [round(left, 2), round(height - top, 2), round(right, 2), round(height - bottom, 2)]
        if code == 2 and raw.FPDFText_IsHyphen(text, index) == 1:
            out += ["\u00ad", "\n"]
            boxes += [box, None]
        elif code in (10, 13):
            out.append("\n")
            boxes.append(None)
        else:
            out.append(chr(code) if code >= 32 else "\ufffd")
            boxes.append(box)
        index += 1
    raw.FPDFText_ClosePage(text)
    return "".join(out), boxes


def fold(text):
    text = re.sub("[\u00ad\u200b]\n?", "", text)
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def lines_of(boxes):
    """Boxes of one page joined into one rectangle a line."""
    lines = []
    for box in boxes:
        if box is None:
            continue
        last = lines[-1] if lines else None
        if last and min(last[3], box[3]) - max(last[1], box[1]) > 0 and box[0] >= last[0] and box[0] - last[2] < 30:
            lines[-1] = [last[0], min(last[1], box[1]), max(last[2], box[2]), max(last[3], box[3])]
        else:
            lines.append(list(box))
    return lines


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    sections = json.loads((FIXTURES / "sections.json").read_text())
    documents = {}
    for stem, (doc_id, title) in TITLES.items():
        path = FIXTURES / "documents" / f"{stem}.pdf"
        sha = hashlib.sha256(path.read_bytes()).hexdigest()
        pdf = pdfium.PdfDocument(path)
        pages, texts, boxes, starts = [], [], [], []
        at = 0
        for number, page in enumerate(pdf, 1):
            text, page_boxes = read_page(page)
            starts.append(at)
            at += len(text) + 1
            texts.append(text)
            boxes.append(page_boxes)
            pages.append({"width": page.get_width(), "height": page.get_height(), "scanned": False, "untrusted": False})
            target = folder / sha / f"{number}.png"
            if not target.exists():
                target.parent.mkdir(exist_ok=True)
                page.render(scale=2.5).to_pil().save(target)
        listed = sections.get(stem, [])
        layer = "\f".join(texts)
        for this, following in zip(listed, listed[1:] + [None]):
            this["end"] = following["start"] if following else len(layer)
        documents[sha] = {
            "doc_id": doc_id, "title": title, "stem": stem, "pages": pages, "layer": layer,
            "starts": starts, "boxes": boxes, "sections": listed,
        }

    policies = []
    for name, (title, quote) in TEXTS.items():
        path = FIXTURES / "documents" / name
        sha = hashlib.sha256(path.read_bytes()).hexdigest()
        layer = path.read_bytes().decode().replace("\r\n", "\n")
        pages = [{"width": 0, "height": 0, "scanned": False, "untrusted": False} for _ in layer.split("\f")]
        documents[sha] = {
            "doc_id": path.stem, "title": title, "stem": path.stem, "pages": pages, "layer": layer,
            "starts": [0], "boxes": [], "sections": [],
        }
        start = layer.index(quote)
        policies.append({
            "record_id": f"text-{path.stem}", "doc_id": path.stem, "doc_sha256": sha, "field": "retention.period",
            "value": {"amount": 5, "unit": "years"}, "status": "present", "confidence": 0.8, "due_at": None,
            "extractor": {"model": "ext-large", "prompt_version": "ext-3.4", "run_id": "texts"},
            "provenance": [{"doc_id": path.stem, "doc_sha256": sha, "quote": quote, "char_start": start,
                            "char_end": start + len(quote), "locator": None, "page": None}],
        })

    def rects(sha, start, end):
        document, out = documents[sha], []
        for number, (at, boxes) in enumerate(zip(document["starts"], document["boxes"]), 1):
            low, high = max(start - at, 0), min(end - at, len(boxes))
            if low < high:
                for box in lines_of(boxes[low:high]):
                    out.append({"page": number, "x0": box[0], "y0": box[1], "x1": box[2], "y1": box[3]})
        return out

    def check(citation, number, record_id):
        sha, start, end = citation["doc_sha256"], citation.get("char_start"), citation.get("char_end")
        document = documents.get(sha)
        reason = found = None
        drawn, clause, section, text = [], [], None, None
        if not document:
            reason = "bytes_unknown"
        elif start is None or end is None:
            reason = "no_offsets"
        elif not 0 <= start < end <= len(document["layer"]):
            reason = "out_of_bounds"
        else:
            slice_ = document["layer"][start:end]
            section = next((s for s in reversed(document["sections"]) if s["start"] <= start < s["end"]), None)
            drawn = rects(sha, start, end)
            if section:
                clause = rects(sha, section["start"], section["end"])
            page = max(i for i, at in enumerate(document["starts"], 1) if at <= start)
            if not citation["quote"].strip():
                reason = "empty_quote"
            elif fold(slice_) != fold(citation["quote"]):
                reason, found = "quote_mismatch", slice_
            elif citation.get("page") not in (None, page):
                reason = "page_mismatch"
            elif citation.get("locator") and section and not section["locator"].startswith(citation["locator"]):
                reason = "locator_mismatch"
        if document and not document["boxes"]:
            paragraph = (document["layer"].rfind("\n\n", 0, start) + 2, document["layer"].find("\n\n", end))
            text = {"layer_sha256": "layer-" + sha[:16], "chars": len(document["layer"]), "read_by": None, "paged": True,
                    "quote": {"start": start, "end": end}, "clause": {"start": paragraph[0], "end": paragraph[1]}}
        view = {
            "id": f"{record_id}#{number}", "doc_id": citation["doc_id"], "doc_sha256": sha,
            "layer_sha256": None if not document else "layer-" + sha[:16], "structure_id": None,
            "locator": citation.get("locator"), "page": citation.get("page"), "char_start": start, "char_end": end,
            "quote": citation["quote"], "state": "failed" if reason else "verified", "reason": reason, "placed": False,
        }
        return {
            "citation": view, "title": document["title"] if document else citation["doc_id"],
            "pages": document["pages"] if document else [],
            "open_page": (drawn[0]["page"] if drawn else citation.get("page") or 1),
            "quote_rects": drawn, "clause_rects": clause,
            "clause_locator": section and section["locator"], "clause_title": section and section["title"],
            "in_text": text, "found_text": found, "link": None if not document else f"pincite://{citation['doc_id']}@{sha[:12]}/{start}-{end}",
        }

    records = []
    given = [json.loads(line) for name in ("traps.jsonl", "demo.jsonl")
             for line in (FIXTURES / "records" / name).read_text().splitlines()]
    for record in given + policies:
        record["evidence"] = [check(c, i, record["record_id"]) for i, c in enumerate(record.pop("provenance", []) or [])]
        if not isinstance(record.get("confidence"), (int, float)) or record["confidence"] != record["confidence"]:
            record["confidence"] = None
        records.append(record)
    import tomllib
    catalogue = tomllib.loads((FIXTURES / "catalogue.toml").read_text())["field"]
    (folder / "data.json").write_text(json.dumps({"documents": documents, "records": records, "catalogue": catalogue}))
    print(f"{len(documents)} documents, {len(records)} records in {folder}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
