"""How long others take to find quotes in a text: rapidfuzz's partial_ratio_alignment and edlib's infix search.

    bench_others.py FILE        FILE holds [text, [quote, ...]]

Prints a line for each: its name and microseconds a find, the best of a few rounds. Both are called as somebody would who wants speed: the text
folded beforehand (small letters), the cut-off at the similarity that Pincite asks for, no path where only the place is
wanted. Run in a virtual environment that has both (`bench_locate` makes one).

Deliberately not here: judging what they find.
"""

import json
import math
import sys
import time

import edlib
from rapidfuzz import fuzz

# As `bench_locate` does with Pincite: the best of so many rounds.
ROUNDS = 3


def timed(name, find, quotes):
    best = math.inf
    for _ in range(ROUNDS):
        began = time.perf_counter()
        for quote in quotes:
            find(quote)
        best = min(best, time.perf_counter() - began)
    print(name, best * 1e6 / len(quotes), flush=True)


def main(path):
    text, quotes = json.load(open(path, encoding="utf-8"))
    text = text.lower()
    quotes = [quote.lower() for quote in quotes]
    # So that the whole takes a minute and not an hour.
    few = quotes[: max(10, min(len(quotes), 40_000_000 // len(text)))]
    timed("rapidfuzz", lambda quote: fuzz.partial_ratio_alignment(quote, text, score_cutoff=98), few)
    # edlib's alphabet is that of bytes.
    data = text.encode("latin-1", "replace")
    timed(
        "edlib",
        lambda quote: edlib.align(quote.encode("latin-1", "replace"), data, mode="HW", task="distance", k=len(quote) // 25),
        few,
    )


if __name__ == "__main__":
    main(sys.argv[1])
