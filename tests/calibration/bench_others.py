"""What pandas and scikit-learn take for the curves of many fields.

    bench_others.py FILE COUNT FIELDS ROUNDS      FILE holds COUNT decisions as four arrays, one after the other

Prints a line for each part with its best time of ROUNDS in seconds, then `all` with the best of the whole, then a sum over the
figures that Pincite can be held against. Reading the file is not timed.

Computed for each field: the bins that Pincite shows (count, weighted share right, weighted mean confidence: what scikit-learn's
calibration_curve computes, which takes no weights), ECE from them, brier_score_loss with sample_weight, and isotonic
regression of the outcomes on confidence. Deliberately not here: intervals of any of them, effective counts, the worst case and
upper bounds of thresholds: these libraries have none, so Pincite computes them in its time and they don't in theirs.
"""

import math
import sys
import time

import numpy
import pandas
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import brier_score_loss

EDGES = numpy.array([0.60, 0.75, 0.85, 0.95])


def bins(confidence, right, weight):
    place = numpy.digitize(confidence, EDGES)
    size = len(EDGES) + 1
    count = numpy.bincount(place, minlength=size)
    total = numpy.bincount(place, weights=weight, minlength=size)
    with numpy.errstate(invalid="ignore"):
        share = numpy.bincount(place, weights=weight * right, minlength=size) / total
        mean = numpy.bincount(place, weights=weight * confidence, minlength=size) / total
    return count, total, share, mean


def run(confidence, right, probability, field):
    took = {"groupby": 0.0, "bins and ECE": 0.0, "Brier": 0.0, "isotonic": 0.0}
    sums = [0.0, 0.0]
    began = time.perf_counter()
    frame = pandas.DataFrame({"confidence": confidence, "right": right, "weight": 1.0 / probability, "field": field})
    groups = [(group["confidence"].to_numpy(), group["right"].to_numpy(), group["weight"].to_numpy()) for _, group in frame.groupby("field")]
    took["groupby"] = time.perf_counter() - began
    for confidence, right, weight in groups:
        start = time.perf_counter()
        _, total, share, mean = bins(confidence, right, weight)
        ece = numpy.nansum(total * numpy.abs(share - mean)) / total.sum()
        then = time.perf_counter()
        brier = brier_score_loss(right, confidence, sample_weight=weight)
        later = time.perf_counter()
        IsotonicRegression(out_of_bounds="clip").fit(confidence, right, sample_weight=weight)
        end = time.perf_counter()
        took["bins and ECE"] += then - start
        took["Brier"] += later - then
        took["isotonic"] += end - later
        sums[0] += ece
        sums[1] += brier
    return took, time.perf_counter() - began, sums


def main(path, count, fields, rounds):
    data = open(path, "rb").read()
    count = int(count)
    confidence = numpy.frombuffer(data, "<f8", count)
    probability = numpy.frombuffer(data, "<f8", count, 8 * count)
    field = numpy.frombuffer(data, "<u4", count, 16 * count)
    right = numpy.frombuffer(data, "u1", count, 20 * count)
    best, whole = {}, math.inf
    for _ in range(int(rounds)):
        took, all_of_it, sums = run(confidence, right, probability, field)
        best = {name: min(best.get(name, math.inf), seconds) for name, seconds in took.items()}
        whole = min(whole, all_of_it)
    for name, seconds in best.items():
        print(name, seconds, sep="\t")
    print("all", whole, sep="\t")
    print("sums", *sums, sep="\t")


if __name__ == "__main__":
    main(*sys.argv[1:])
