// Numbers and stretches of text as the window writes them: thin groups, shares in per cent, bytes, counts, quotes.
//
// Deliberately not here: values of fields; those come from the core in words.

const GROUP = "\u202f";

/** 48211 → "48 211" (narrow no-break spaces). */
export function whole(value: number): string {
  return Math.round(value).toString().replace(/\B(?=(\d{3})+(?!\d))/g, GROUP);
}

/** 0.0214 → "2.1 %" */
export function share(value: number, digits = 1): string {
  return `${(value * 100).toFixed(digits)}\u00a0%`;
}

/** 1620 → "1 620", 4.25 → "4.3": whole from a hundred on. */
export function amount(value: number): string {
  return value >= 100 ? whole(value) : value.toFixed(1);
}

/** "1 label", "3 labels" */
export function count(value: number, one: string, many = `${one}s`): string {
  return `${whole(value)} ${value === 1 ? one : many}`;
}

export function bytes(value: number): string {
  if (value < 1000) return `${value} B`;
  if (value < 1_000_000) return `${(value / 1000).toFixed(0)} kB`;
  return `${(value / 1_000_000).toFixed(1)} MB`;
}

/** Names one version of one document; the same bytes may stand under two documents. */
export const versionName = (version: { doc_id: string; doc_sha256: string }) => `${version.doc_id}@${version.doc_sha256}`;

/** The head of a hash: enough to tell two versions apart by eye. */
export const shortHash = (hash: string) => hash.slice(0, 8);

/** A stretch of the layer as one would read it: line-end hyphens joined, white space collapsed. Only for showing. */
export const readable = (text: string) => text.replace(/\u00ad\n?/g, "").replace(/\s+/g, " ").trim();
