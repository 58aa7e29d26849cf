// Reasons typed and not sent yet, by incident and by who types: they outlive an error, another incident, another desk.
//
// Deliberately not here: a reason that was given; the core keeps those.
class Reasons {
  readonly #typed = $state<Record<string, string>>({});

  of(incident: string, reviewer: string | undefined): string {
    return this.#typed[`${reviewer}/${incident}`] ?? "";
  }

  set(incident: string, reviewer: string | undefined, words: string): void {
    this.#typed[`${reviewer}/${incident}`] = words;
  }
}

export const reasons = new Reasons();
