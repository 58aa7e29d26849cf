// The two dates that a desk is asked about: in force on, and as known on. Kept while the window is open.
//
// Deliberately not here: what is in force then; the core says that.

class Dates {
  /** A day, `yyyy-mm-dd`; null for today. */
  validAt = $state<string | null>(null);
  /** A day, whose end counts; null for all that is known. */
  knownAt = $state<string | null>(null);

  readonly asked = $derived({ valid_at: this.validAt, known_at: this.knownAt });
  readonly past = $derived(this.validAt !== null || this.knownAt !== null);

  /** A question about the past freezes both clocks; null asks about today. */
  freeze(day: string | null): void {
    this.validAt = day;
    this.knownAt = day;
  }
}

export const dates = new Dates();
