"""Quotes as another extractor reads them, with what has to become of each, for one document.

    other_quotes.py LAYER OTHER OUT COUNT SEED

LAYER is the layer that `pincite document text` printed, OTHER the text of the same document by another extractor, both
with pages joined by U+000C. COUNT quotes of 8 to 400 code points, log-uniform, are cut from OTHER, each within a page.
Into the folder OUT go:

* quotes.jsonl and truth.jsonl: for each quote how often it stands in the layer and in OTHER, and where its characters
  stand in the layer;
* changed.jsonl: quotes with a number, a unit or a negation changed, that stand nowhere;
* removed.txt and gone.jsonl: the layer without some of its unique quotes, and these.

Where a quote belongs is found without Pincite: in the letters and digits of the two pages, stretches of twelve that stand
once in each are the same text, and so is what is equal beside them. How often it stands in the layer is counted with its
white space, dashes, bullets, marks of direction and unreadable characters left out.

Deliberately not here: judging the answers; any fold of Pincite's.
"""

import json
import math
import random
import re
import sys
import unicodedata
from pathlib import Path

ANCHOR = 12
CHANCE = 3
SINGLE, DOUBLE = "\u2018\u2019\u201a\u201b\u2039\u203a`", "\u201c\u201d\u201e\u201f\u00ab\u00bb"
NOTHING = set("\u2022\u2023\u25aa\u25ab\u25ba\u25b8\u25c6\u25cf\u25e6\u2666\u27a2\u27a4\ufffd\u2212\u00ad")
UNITS = ["years", "months", "days", "hours", "mg", "mcg", "kg", "ml", "g"]
NEGATIONS = ["not", "no", "sin", "nicht", "ne", "kein", "never", "without", "ni"]


def folded(character):
    """What one character says: its letters, without what extractors differ in."""
    if character in SINGLE:
        return "'"
    if character in DOUBLE:
        return '"'
    if unicodedata.decomposition(character).startswith(("<super>", "<sub>", "<fraction>")):
        return character
    parts = unicodedata.normalize("NFKC", character).casefold()
    dropped = lambda part: part.isspace() or part in NOTHING or unicodedata.category(part) in ("Pd", "Cf", "Co", "Cc")
    return "".join(part for part in parts if not dropped(part))


class Key:
    """A text's letters with their places in it; `alphanumeric` leaves the other signs out too."""

    def __init__(self, text, alphanumeric=False):
        self.places = []
        letters = []
        for place, character in enumerate(text):
            for part in folded(character):
                if not alphanumeric or part.isalnum():
                    letters.append(part)
                    self.places.append(place)
        self.letters = "".join(letters)

    def count(self, wanted):
        """Occurrences, overlapping ones too; at most two are counted."""
        first = self.letters.find(wanted)
        if first < 0:
            return 0
        return 1 if self.letters.find(wanted, first + 1) < 0 else 2


def once(letters):
    """Where each stretch of ANCHOR letters stands, for those that stand once."""
    seen = {}
    for at in range(len(letters) - ANCHOR + 1):
        gram = letters[at : at + ANCHOR]
        seen[gram] = None if gram in seen else at
    return {gram: at for gram, at in seen.items() if at is not None}


def aligned(ours, other):
    """For each letter of the other page its letter on our page, or None. What is reached from two stretches and named
    differently (a table's rows that read alike, in another order) is not known; nor are the last letters before the two
    part, which may be equal by chance."""

    forward, backward, by_chance = [None] * len(other), [None] * len(other), set()
    known = once(ours)
    anchors = [(at, known[gram]) for gram, at in once(other).items() if gram in known]
    for at, here in sorted(anchors):
        step = 0
        while at + step < len(other) and here + step < len(ours) and other[at + step] == ours[here + step]:
            # A later stretch is nearer to what follows it.
            if forward[at + step] == here + step:
                break
            forward[at + step] = here + step
            step += 1
        else:
            by_chance.update(range(at + step - CHANCE, at + step))
    for at, here in sorted(anchors, reverse=True):
        at, here = at + ANCHOR - 1, here + ANCHOR - 1
        step = 0
        while at >= step and here >= step and other[at - step] == ours[here - step]:
            if backward[at - step] == here - step:
                break
            backward[at - step] = here - step
            step += 1
        else:
            by_chance.update(range(at - step + 1, at - step + 1 + CHANCE))
    return [
        None if at in by_chance or None not in (before, after) and before != after else after if before is None else before
        for at, (before, after) in enumerate(zip(forward, backward))
    ]


def changes(quote, dice):
    """The quote with a number, a unit or a negation changed, in each way that it allows."""
    numbers = list(re.finditer(r"(?<![^\s(])\d+(?=[\s.,;)]|$)", quote))
    if numbers:
        found = dice.choice(numbers)
        digits = found.group()
        at = dice.randrange(len(digits))
        digit = dice.choice([digit for digit in "123456789" if digit != digits[at]])
        yield quote[: found.start()] + digits[:at] + digit + digits[at + 1 :] + quote[found.end() :]
    units = list(re.finditer(r"(?<=\d )(" + "|".join(UNITS) + r")\b", quote))
    if units:
        found = dice.choice(units)
        yield quote[: found.start()] + dice.choice([u for u in UNITS if u != found.group()]) + quote[found.end() :]
    negations = list(re.finditer(r"\b(" + "|".join(NEGATIONS) + r")\b\s", quote))
    if negations:
        found = dice.choice(negations)
        yield quote[: found.start()] + quote[found.end() :]
    spaces = [found.end() for found in re.finditer(r"[^\W\d_] (?=[^\W\d_])", quote)]
    if spaces:
        at = dice.choice(spaces)
        yield quote[:at] + dice.choice(["not ", "no ", "never "]) + quote[at:]


def main(layer_path, other_path, out, count, seed):
    layer = open(layer_path, encoding="utf-8", newline="").read()
    other = open(other_path, encoding="utf-8", newline="", errors="replace").read()
    dice = random.Random(seed)
    pages = layer.split("\f")
    page_starts = [0]
    for page in pages:
        page_starts.append(page_starts[-1] + len(page) + 1)
    other_pages = other.split("\f")
    whole, whole_other = Key(layer), Key(other)
    maps = {}

    def page_map(number):
        if number not in maps:
            ours, theirs = Key(pages[number], True), Key(other_pages[number], True)
            maps[number] = (ours, theirs, aligned(ours.letters, theirs.letters))
        return maps[number]

    # A page without text in our layer is not ours to find.
    choosable = [n for n in range(min(len(pages), len(other_pages))) if pages[n].strip() and len(other_pages[n]) >= 8]
    weights = [len(other_pages[n]) for n in choosable]
    quotes, truths, changed, gone = [], [], [], []
    for number in range(count if choosable else 0):
        for _ in range(50):
            page = dice.choices(choosable, weights)[0]
            text = other_pages[page]
            length = min(int(math.exp(dice.uniform(math.log(8), math.log(401)))), len(text))
            start = dice.randrange(len(text) - length + 1)
            quote = text[start : start + length]
            wanted = Key(quote).letters
            if sum(letter.isalnum() for letter in wanted) >= 4:
                break
        else:
            continue
        ours, theirs, to = page_map(page)
        letters = [at for at, place in enumerate(theirs.places) if start <= place < start + length]
        places = [page_starts[page] + ours.places[to[at]] for at in letters if to[at] is not None]
        occurrences = whole.count(wanted)
        identity = f"q{number}"
        quotes.append({"id": identity, "quote": quote})
        truth = {"id": identity, "page": page + 1, "occurrences": occurrences, "letters": len(letters), "places": places}
        # Which of the two it was, nobody can tell who has only the quote and our layer.
        truth["in_other"] = whole_other.count(wanted)
        truths.append(truth)
        for kind, other_quote in enumerate(changes(quote, dice)):
            if whole.count(Key(other_quote).letters) == 0:
                changed.append({"id": f"{identity}.{kind}", "quote": other_quote})
        if occurrences == 1:
            at = whole.letters.find(wanted)
            gone.append((whole.places[at], whole.places[at + len(wanted) - 1] + 1, quotes[-1]))

    # Unique quotes that do not touch each other are cut out of the layer.
    gone.sort(key=lambda entry: entry[0])
    kept, removed, at = [], [], 0
    for first, last, quote in gone:
        if first > at and dice.random() < 0.5:
            kept.append(layer[at:first])
            removed.append(quote)
            at = last
    kept.append(layer[at:])
    rest = "".join(kept)
    rest_key = Key(rest)
    removed = [quote for quote in removed if rest_key.count(Key(quote["quote"]).letters) == 0]
    folder = Path(out)
    (folder / "removed.txt").write_bytes(rest.encode())
    for name, lines in (("quotes", quotes), ("truth", truths), ("changed", changed), ("gone", removed)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]))
