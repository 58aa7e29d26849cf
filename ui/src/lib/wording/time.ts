// Durations, due dates and clock times in words, in the reader's own time zone.
//
// Deliberately not here: the current time; it is always an argument, so that every sentence can be tested.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long something took: "41 s", "1 m 12 s", "2 h 5 m". */
export function duration(milliseconds: number): string {
  if (milliseconds < 10 * SECOND) return `${(Math.max(0, milliseconds) / SECOND).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / SECOND);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} m` : `${minutes} m ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} m`;
}

/** A stretch of time in its two largest units: "2 d 4 h", "5 d", "35 m". From five on, the larger stands alone. */
export function stretch(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / MINUTE);
  if (minutes < 1) return "under 1 m";
  if (milliseconds < HOUR) return `${minutes} m`;
  if (milliseconds < DAY) {
    const rest = minutes % 60;
    return rest === 0 || minutes >= 5 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60)} h ${rest} m`;
  }
  const days = Math.floor(milliseconds / DAY);
  const hours = Math.floor((milliseconds % DAY) / HOUR);
  return days >= 5 || hours === 0 ? `${days} d` : `${days} d ${hours} h`;
}

export type Urgency = "none" | "later" | "soon" | "overdue";

export interface Due {
  text: string;
  /** The same for a screen reader and a tooltip. */
  long: string;
  urgency: Urgency;
}

/** Time to the due date; "soon" is within three days. */
export function due(dueAt: string | null, now: number): Due {
  const at = dueAt === null ? Number.NaN : Date.parse(dueAt);
  if (Number.isNaN(at)) return { text: "—", long: "no due date", urgency: "none" };
  const when = dateAndTime(dueAt as string);
  const left = at - now;
  if (left < 0) {
    const late = stretch(-left);
    return { text: `${late} late`, long: `was due ${when}, ${late} ago`, urgency: "overdue" };
  }
  const text = stretch(left);
  return { text, long: `due ${when}, in ${text}`, urgency: left < 3 * DAY ? "soon" : "later" };
}

const pad = (value: number) => String(value).padStart(2, "0");

/** "10:42" */
export function clock(moment: string): string {
  const at = new Date(moment);
  return Number.isNaN(at.getTime()) ? "unknown" : `${pad(at.getHours())}:${pad(at.getMinutes())}`;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** "14 Aug 2026" */
export function day(moment: string): string {
  const at = new Date(moment);
  return Number.isNaN(at.getTime()) ? moment : `${at.getDate()} ${MONTHS[at.getMonth()]} ${at.getFullYear()}`;
}

/** "14 Aug 2026 09:12" */
export function dateAndTime(moment: string): string {
  const at = new Date(moment);
  if (Number.isNaN(at.getTime())) return moment;
  return `${at.getDate()} ${MONTHS[at.getMonth()]} ${at.getFullYear()} ${pad(at.getHours())}:${pad(at.getMinutes())}`;
}
