// Asking for a signature, where the workspace wants one: what it means, and the password again.
//
// Deliberately not here: what a signature is made of, and whether the password is right; the core says both.
import { tick } from "svelte";
import type { SignatureRequest } from "$lib/generated/SignatureRequest";
import { windowState } from "./window.svelte";

/** What can need one. */
export type Signed = "reject" | "correct" | "threshold" | "incident";

/** What is asked now. */
interface Asked {
  what: Signed;
  answer: (signature: SignatureRequest | null) => void;
}

class Signing {
  asked = $state.raw<Asked | null>(null);

  /** The signature, null where none is needed; undefined where the person gave none, and nothing is to be done. */
  async of(what: Signed): Promise<SignatureRequest | null | undefined> {
    if (!windowState.workspace?.signatures.includes(what)) return null;
    this.asked?.answer(null);
    const before = document.activeElement;
    const given = await new Promise<SignatureRequest | null>((answer) => (this.asked = { what, answer }));
    this.asked = null;
    // The hand goes back to where it was.
    await tick();
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    return given ?? undefined;
  }
}

export const signing = new Signing();
