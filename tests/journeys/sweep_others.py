"""How long others take to hold quotes against what stands at their place, and what they let pass: a similarity of 98 by rapidfuzz.

    sweep_others.py FILE        FILE holds {"pairs": [[quote, text], ...], "digits": [...], "negations": [...]}

Both sides are folded (compatibility forms, case, dashes, quotation marks, white space) and compared by rapidfuzz's ratio; 98 passes.
Prints microseconds a pair, the best of three rounds, then of the pairs with another digit and of those with a negation more or less
how many pass, each with how many there are. Run in a virtual environment that has rapidfuzz.

Deliberately not here: relocation.
"""

import json
import sys
import time
import unicodedata

from rapidfuzz import fuzz

DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212"), "-")
MARKS = {**dict.fromkeys(map(ord, "\u2018\u2019\u201a"), "'"), **dict.fromkeys(map(ord, "\u201c\u201d\u201e"), '"')}
TABLE = {**DASHES, **MARKS}


def folded(text):
    text = unicodedata.normalize("NFKC", text).translate(TABLE).casefold()
    return " ".join(text.split())


def passes(pair):
    quote, text = pair
    return fuzz.ratio(folded(text), folded(quote)) >= 98


def main(path):
    with open(path, encoding="utf-8") as file:
        given = json.load(file)
    best = min(timed(given["pairs"]) for _ in range(3))
    print("pairs", best * 1e6 / len(given["pairs"]))
    for kind in ("digits", "negations"):
        print(kind, sum(map(passes, given[kind])), len(given[kind]))


def timed(pairs):
    began = time.perf_counter()
    for pair in pairs:
        passes(pair)
    return time.perf_counter() - began


if __name__ == "__main__":
    main(sys.argv[1])
