// What the core says of a value while it is typed: asked once typing pauses, and at once when it is to be sent.
//
// Only the answer to what stands in the editor now counts; one that comes late is dropped. Deliberately not here: what is
// typed (editor-value.ts), and any reading of it.
import type { ValueCheckView } from "$lib/generated/ValueCheckView";
import { CommandError } from "$lib/platform/contract";

export type Checked =
  | { state: "none" }
  | { state: "holds"; value: unknown; text: string }
  | { state: "wrong"; line: string }
  /** The core could not be asked. */
  | { state: "unknown"; line: string };

/** A pause in typing, in milliseconds. */
const PAUSE = 150;

export class ValueCheck {
  /** Of what was typed last; what was said of the typing before stays until then. */
  said = $state.raw<Checked>({ state: "none" });
  readonly #ask: (typed: unknown) => Promise<ValueCheckView>;
  #pausing: ReturnType<typeof setTimeout> | undefined;
  #turn = 0;

  constructor(ask: (typed: unknown) => Promise<ValueCheckView>) {
    this.#ask = ask;
  }

  /** Something else stands in the editor. */
  typed(value: unknown): void {
    clearTimeout(this.#pausing);
    this.#turn += 1;
    this.#pausing = setTimeout(() => void this.now(value), PAUSE);
  }

  /** Nothing stands in the editor, or nobody looks any more. */
  clear(): void {
    clearTimeout(this.#pausing);
    this.#turn += 1;
    this.said = { state: "none" };
  }

  /** Asks at once. Null where something else was typed before the answer came. */
  async now(value: unknown): Promise<Checked | null> {
    clearTimeout(this.#pausing);
    const turn = ++this.#turn;
    const said = await this.#read(value);
    if (turn !== this.#turn) return null;
    return (this.said = said);
  }

  async #read(value: unknown): Promise<Checked> {
    try {
      const answer = await this.#ask(value);
      if (answer.trouble !== null) return { state: "wrong", line: answer.trouble };
      return { state: "holds", value: answer.value, text: answer.text };
    } catch (cause) {
      return { state: "unknown", line: `This could not be checked: ${CommandError.from(cause).message}` };
    }
  }
}
