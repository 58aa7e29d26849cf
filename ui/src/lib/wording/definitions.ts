// What every figure of the Calibration desk means, one key away (`d`).
//
// Deliberately not here: the figures, and how they are computed (pincite-core says that, with its sources).

export interface Definition {
  id: string;
  term: string;
  words: string;
}

export const DEFINITIONS = [
  {
    id: "right",
    term: "Share right",
    words:
      "Of the records in a bin, the part whose value a person accepted unchanged or whose value equals the true one. Each label counts 1 / p, where p is the chance the record had of being looked at, so that rarely drawn high confidence is not underrated.",
  },
  {
    id: "interval",
    term: "95 % interval",
    words:
      "Where the true share lies, by what the labels can tell: intervals made so miss it in at most about 5 of 100 cases. It rests on the effective labels, and holds for few labels and shares near 100 % too.",
  },
  {
    id: "rising",
    term: "Rising fit",
    words:
      "The curve nearest to the measured shares that never falls as confidence rises. Where a higher bin measured lower than the one before, both get their common mean.",
  },
  {
    id: "worst",
    term: "Worst case",
    words:
      "The share right over all weeks, closed and open, if everything that was drawn or queued and is not decided yet turned out wrong, with the lower end of its 95 % interval. The estimate can't hide behind what nobody has looked at.",
  },
  {
    id: "diagonal",
    term: "Diagonal",
    words: "Where an extractor would lie whose confidence is as often right as it says. Below it, it is too sure of itself.",
  },
  {
    id: "labels",
    term: "Labels and effective labels",
    words:
      "A label is a record whose value is known to be right or wrong. Effective: how many labels of equal weight would say as much as these do with their unequal weights. It is never more than the labels, and what intervals and states rest on.",
  },
  {
    id: "cohorts",
    term: "Closed weeks",
    words:
      "A week (Monday to Sunday, UTC) holds the records that were first routed in it. It is closed for a curve when everything drawn from it is decided. The estimate rests on closed weeks: what is decided first is mostly what is easy, so an estimate over whatever is decided so far is too kind. While no week is closed, it is that all the same, and says so.",
  },
  {
    id: "derived",
    term: "Derived, set aside, pending",
    words:
      "Derived: nobody looked at this record; its label follows from a decision on another extractor's record of the same field. Set aside: reviewed for another cause than confidence or a draw, which says nothing about confidence. Pending: drawn or queued, not decided yet.",
  },
  {
    id: "ece",
    term: "Calibration error (ECE)",
    words:
      "How far confidence and share right lie apart: the distance of the two in each bin, averaged over the bins by their weight. 0 is an extractor that is right exactly as often as it says. It sets no threshold: the mean can be small while the bin that is shown is bad.",
  },
  {
    id: "brier",
    term: "Brier score",
    words:
      "The mean squared distance between confidence and outcome (1 right, 0 wrong), by weight. 0 is best; always saying 0.5 gets 0.25. Unlike the calibration error it also counts how well right and wrong are told apart.",
  },
  {
    id: "threshold",
    term: "Threshold and its guarantee",
    words:
      "From “show” on, a value is shown without a badge; from “verify” on, with one. If the true error at or above a suggested threshold were as large as the field accepts, it would ever have been suggested in at most 5 of 100 such cases, however often somebody looks. What is pending counts as wrong. It holds while the same model and prompt version are used.",
  },
  {
    id: "audit",
    term: "Audit share",
    words:
      "The part of what is shown, shown with “verify”, or answered “not stated” that is drawn for review all the same. Without draws high confidence is never measured. A raised share draws at once from what was routed before.",
  },
  {
    id: "workload",
    term: "Workload",
    words:
      "What a threshold costs a day: everything below it goes to the queue, and of the rest the audit share. Hours rest on the median time of this field's last thousand timed decisions, or on the setting while fewer than five were timed. Errors shown: wrong values at or above the threshold, by the measured error of each bin; where nothing was measured, 1 minus the middle of the bin. Past due in 14 days: how many items would then wait past their due date if the queue is worked nearest date first at the pace of the last 14 days, and what comes in is due as soon as the last thousand items were. A pace measured on a queue that was nearly empty is lower than what people could do.",
  },
  {
    id: "floor",
    term: "Floor",
    words:
      "The active time under which an accept was no reading: what somebody set for the field, else the larger of 4 s and a fifth of the median of the field's baseline. The baseline is the field's first twenty timed decisions, frozen, so that a pace that creeps up does not lower its own floor.",
  },
  {
    id: "incident",
    term: "Incident, kept, void",
    words:
      "Five accepts in a row by one reviewer, each under the floor. Every decision from the first to the last of them is out of every curve until somebody else keeps it (its labels count again) or voids it (they never do). The decisions themselves stand either way; a later word replaces the one before.",
  },
  {
    id: "watch_resolving",
    term: "Citations that resolve",
    words:
      "Of the citations of all records, the part whose bytes, text layer and span are here, by the last check that was kept. Whether the text there is the quote is another question. All of them should resolve: one that does not is a fault of the store or of an import, not of the extractor. “pincite verify --all” checks every one anew.",
  },
  {
    id: "watch_verified",
    term: "Quotes verified before review",
    words:
      "Of the citations of all records, the part that passed every check when it came in, before anybody reviewed: bytes, layer, span, quote, page and locator. It is the extractor's honesty, and stays what it was whatever is repaired later.",
  },
  {
    id: "watch_agreed",
    term: "“Not stated”, agreed with",
    words:
      "Of the records that say “not stated” and stand decided, the part that the reviewer accepted or answered with “not stated” too. Only those drawn for an audit are ever looked at, and each counts once here; the curve of absent records weighs them. Decisions in an incident that is open or void count as neither.",
  },
  {
    id: "watch_errors",
    term: "Error by confidence",
    words:
      "The part of the labels in a bin that was wrong: 1 minus the share right of the curve, with the same weights. The number beside it is how many labels that rests on; an empty bin has no error, which is not an error of 0.",
  },
  {
    id: "watch_queue",
    term: "The queue against its due dates",
    words:
      "Open items by how long they have been in the queue and by when their record is due. “Within 3 days” leaves out what is due within a day. An item held for later is open and counts.",
  },
  {
    id: "watch_agreement",
    term: "How far reviewers agree",
    words:
      "Alpha is Krippendorff's, nominal: 1 is full agreement, 0 is what chance gives, below 0 is worse. It rests only on values that two people entered before either saw the candidate, and is not stated under a number of pairs. “Second reviews that agree” counts those who saw the candidate too; people agree with what they are shown, so that share flatters. Where two differ, a third settles it.",
  },
  {
    id: "difference",
    term: "Difference of two versions",
    words:
      "Share right of the second minus that of the first in the same bin, in points of a hundred, with its 95 % interval. An interval that holds 0 means: the labels can't tell the two apart.",
  },
] as const satisfies readonly Definition[];

export type DefinitionId = (typeof DEFINITIONS)[number]["id"];
