// Reads the three audit shares as typed in per cent, and the reason. Deliberately not here: what a share draws; the core does.
import type { AuditSharesView } from "$lib/generated/AuditSharesView";

export type Stratum = keyof AuditSharesView;

export const STRATA: readonly { stratum: Stratum; words: string }[] = [
  { stratum: "show", words: "of what is shown plainly" },
  { stratum: "flag", words: "of what is shown with “verify”" },
  { stratum: "abstain", words: "of “not stated”" },
];

export type AuditShareForm = { ok: true; shares: AuditSharesView; why: string } | { ok: false; message: string };

/** 0.05 → "5", 0.125 → "12.5" */
export const perCent = (share: number) => String(Number((share * 100).toFixed(4)));

/** Twice the share of what feeds this kind of curve, at most everything; the rest as it is. */
export function raised(shares: AuditSharesView, of: string): AuditSharesView {
  const twice = (share: number) => Math.min(1, share * 2);
  return of === "absent"
    ? { ...shares, abstain: twice(shares.abstain) }
    : { ...shares, show: twice(shares.show), flag: twice(shares.flag) };
}

export function readAuditShares(typed: Record<Stratum, string>, old: AuditSharesView, why: string): AuditShareForm {
  const shares = { ...old };
  for (const { stratum, words } of STRATA) {
    const text = typed[stratum].trim().replace(/\s*%$/, "").replace(",", ".");
    const share = Number(text) / 100;
    if (!/^\d*\.?\d+$/.test(text) || !(share > 0 && share <= 1)) {
      return { ok: false, message: `“${typed[stratum].trim()}” ${words} is no share: write per cent, over 0 and at most 100.` };
    }
    shares[stratum] = share;
  }
  if (STRATA.every(({ stratum }) => Math.abs(shares[stratum] - old[stratum]) < 1e-9)) {
    return { ok: false, message: "These are the shares in use: change one." };
  }
  if (why.trim() === "") return { ok: false, message: "Say why: it stands in the log." };
  return { ok: true, shares, why: why.trim() };
}
