// Reads the two numbers and the reason of the threshold form. Both are set together, each from 0 to 1.
// Deliberately not here: whether the numbers rest on enough labels; the core answers that.

export type ThresholdForm =
  | { ok: true; tau_show: number; tau_flag: number; why: string }
  | { ok: false; message: string };

function read(typed: string, name: string): { ok: true; value: number } | { ok: false; message: string } {
  const text = typed.trim().replace(",", ".");
  if (text === "") return { ok: false, message: `Write both numbers: “${name} from” is empty.` };
  const value = Number(text);
  if (!/^[01]?(\.\d+)?$/.test(text) || !Number.isFinite(value) || value > 1) {
    return { ok: false, message: `“${typed.trim()}” is no confidence: ${name} is a number from 0 to 1.` };
  }
  return { ok: true, value };
}

/** One number as typed, from 0 to 1; null where it is none. */
export function readConfidence(typed: string): number | null {
  const found = read(typed, "");
  return found.ok ? found.value : null;
}

export function readThresholds(show: string, flag: string, why: string): ThresholdForm {
  const tauShow = read(show, "show");
  if (!tauShow.ok) return tauShow;
  const tauFlag = read(flag, "verify");
  if (!tauFlag.ok) return tauFlag;
  if (tauShow.value < tauFlag.value) {
    return { ok: false, message: "What is shown plainly needs at least the confidence of what is shown with “verify”." };
  }
  if (why.trim() === "") return { ok: false, message: "Say why: it stands in the log." };
  return { ok: true, tau_show: tauShow.value, tau_flag: tauFlag.value, why: why.trim() };
}
