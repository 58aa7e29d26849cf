// Keeps what was loaded ahead: the next item with its evidence, ready before it is asked for.
//
// A small cache of promises, oldest use out first; a load that failed is forgotten, so that asking again tries again.
// After somebody wrote, what is here is outdated: it can still be shown at once, and is loaded again when asked for.
// Deliberately not here: what is loaded or when, and page images (evidence/page-images.ts).

export class Prefetch<Value> {
  readonly #load: (key: string) => Promise<Value>;
  readonly #limit: number;
  readonly #held = new Map<string, Promise<Value>>();
  readonly #ready = new Map<string, Value>();

  constructor(load: (key: string) => Promise<Value>, limit: number) {
    this.#load = load;
    this.#limit = limit;
  }

  /** The value, loaded now unless it is here or on its way. */
  get(key: string): Promise<Value> {
    const held = this.#held.get(key);
    if (held) {
      this.#held.delete(key);
      this.#held.set(key, held);
      return held;
    }
    const loading = this.#load(key);
    this.#held.set(key, loading);
    loading.then(
      (value) => {
        if (this.#held.get(key) !== loading) return;
        this.#ready.set(key, value);
        for (const outdated of this.#ready.keys()) {
          if (this.#ready.size <= this.#limit) break;
          if (!this.#held.has(outdated)) this.#ready.delete(outdated);
        }
      },
      () => {
        if (this.#held.get(key) === loading) this.#held.delete(key);
      },
    );
    for (const oldest of this.#held.keys()) {
      if (this.#held.size <= this.#limit) break;
      this.forget(oldest);
    }
    return loading;
  }

  /** The value if it is here already, without waiting; it may be outdated. */
  now(key: string): Value | undefined {
    return this.#ready.get(key);
  }

  forget(key: string): void {
    this.#held.delete(key);
    this.#ready.delete(key);
  }

  /** Nothing here may count as up to date any more: whoever asks waits for a load that began after this. */
  outdate(): void {
    this.#held.clear();
  }

  clear(): void {
    this.#held.clear();
    this.#ready.clear();
  }
}
