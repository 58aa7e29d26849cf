// What the figures that are watched say in words. Deliberately not here: the figures; the core counts them.
import type { AgreementView } from "$lib/generated/AgreementView";
import type { QueueAge } from "$lib/generated/QueueAge";
import type { WatchBin } from "$lib/generated/WatchBin";
import type { WatchFigure } from "$lib/generated/WatchFigure";
import type { WatchLine } from "$lib/generated/WatchLine";
import { count, share, whole } from "$lib/wording/figures";
import type { DefinitionId } from "$lib/wording/definitions";
import { dateAndTime, due } from "$lib/wording/time";
import { decisionKind, opened } from "$lib/wording/words";

export type FigureName = "citations_resolving" | "quotes_verified" | "abstentions_agreed";

export const FIGURES: readonly { name: FigureName; term: string; aim: string; definition: DefinitionId }[] = [
  { name: "citations_resolving", term: "Citations that resolve", aim: "all of them should", definition: "watch_resolving" },
  { name: "quotes_verified", term: "Quotes verified before review", aim: "", definition: "watch_verified" },
  { name: "abstentions_agreed", term: "“Not stated”, agreed with", aim: "", definition: "watch_agreed" },
];

/** "95.9 %"; nothing counted is no share. */
export const shareWords = (figure: WatchFigure) => (figure.share === null ? "none yet" : share(figure.share));

/** A share is rounded, and must not round to all where one is missing, nor to none where one is there. */
export function honestShare({ passed, of, share: value }: WatchFigure): string {
  if (value === null) return "none yet";
  for (let digits = 1; digits < 6; digits += 1) {
    const said = share(value, digits);
    const rounded = Number.parseFloat(said);
    if ((rounded < 100 || passed === of) && (rounded > 0 || passed === 0)) return said;
  }
  return `under ${share(1, 0)}`;
}

/** "118 of 123" */
export const countWords = ({ passed, of }: WatchFigure) => `${whole(passed)} of ${whole(of)}`;

/** "25.0 % of 4"; an empty bin has no error. */
export const errorWords = ({ error, n }: WatchBin) => (error === null ? "none yet" : `${share(error)} of ${whole(n)}`);

/** "0.872 of 34 pairs"; under a number of pairs alpha says nothing, and where all are the same chance would agree too. */
export function alphaWords({ alpha, pairs, pairs_short }: AgreementView): string {
  const of = count(pairs, "pair");
  if (alpha !== null) return `${alpha.toFixed(3)} of ${of}`;
  return pairs_short > 0 ? `${of}, ${whole(pairs_short)} too few` : `${of}, all the same`;
}

const AGES: Record<string, string> = {
  under_1_day: "under a day",
  under_3_days: "1 to 3 days",
  under_7_days: "3 to 7 days",
  from_7_days: "7 days or more",
};

export const ageWords = ({ age }: QueueAge) => AGES[age] ?? opened(age);

export const DUE_COLUMNS: readonly { key: Exclude<keyof QueueAge, "age">; words: string }[] = [
  { key: "past_due", words: "Past due" },
  { key: "within_1_day", words: "Due within a day" },
  { key: "within_3_days", words: "Within 3 days" },
  { key: "later", words: "Later" },
  { key: "no_due_time", words: "No due date" },
];

/** What one line behind a figure is: the check, the decision or the wait, in words, with a shape. */
export function lineState(line: WatchLine, now: number): { words: string; shape: string } {
  const reason = line.reason === null ? "" : `: ${opened(line.reason)}`;
  if (line.citation !== null) {
    if (line.state === "verified") return { words: "verified", shape: "✓" };
    return line.state === null ? { words: "not checked", shape: "○" } : { words: `failed${reason}`, shape: "✕" };
  }
  if (line.decision !== null) {
    const kind = decisionKind(line.state ?? "");
    return { words: `${kind.words}${reason}`, shape: kind.shape };
  }
  const time = due(line.due_at, now);
  return { words: time.urgency === "none" ? "no due date" : time.text, shape: line.failing ? "▲" : "○" };
}

/** "came 14 Aug 2026 09:12" */
export const lineTime = (line: WatchLine) =>
  `${line.decision !== null ? "decided" : line.citation !== null ? "came" : "queued"} ${dateAndTime(line.recorded_at)}`;
