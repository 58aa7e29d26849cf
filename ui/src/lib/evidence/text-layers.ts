// Layers' texts, loaded once and cut; the last few are kept, so that the next citation of a document is there at once.
//
// A text crosses as bytes. Its byte order mark, where a foreign layer has one, is a code point and stays. Deliberately not
// here: what is shown of it.
import { documentText } from "$lib/commands";
import { cutText, type CutText } from "./text-segments";

/** A text of 30 MB takes some 100 MB here. */
const LIMIT = 3;

const loading = new Map<string, Promise<CutText>>();
const loaded = new Map<string, CutText>();

async function load(docSha256: string, layerSha256: string): Promise<CutText> {
  const bytes = await documentText(docSha256, layerSha256);
  return cutText(new TextDecoder("utf-8", { ignoreBOM: true, fatal: true }).decode(bytes));
}

/** The text of a layer. Rejects where it can't be read. */
export function textOf(docSha256: string, layerSha256: string): Promise<CutText> {
  const key = `${docSha256} ${layerSha256}`;
  const held = loading.get(key);
  if (held) {
    loading.delete(key);
    loading.set(key, held);
    return held;
  }
  const started = load(docSha256, layerSha256);
  loading.set(key, started);
  started.then(
    (cut) => {
      if (loading.get(key) === started) loaded.set(key, cut);
    },
    () => {
      if (loading.get(key) === started) loading.delete(key);
    },
  );
  for (const oldest of loading.keys()) {
    if (loading.size <= LIMIT) break;
    loading.delete(oldest);
    loaded.delete(oldest);
  }
  return started;
}

/** The text if it is here: it can be shown within this very frame. */
export const textNow = (docSha256: string, layerSha256: string): CutText | null =>
  loaded.get(`${docSha256} ${layerSha256}`) ?? null;

/** Loads a text ahead. A failure shows when it is asked for. */
export function textAhead(docSha256: string, layerSha256: string): void {
  textOf(docSha256, layerSha256).catch(() => undefined);
}
