// Keeps what was loaded ahead: the next item with its evidence, ready before it is asked for.
//
// A small cache of promises, oldest use out first; a load that failed is forgotten, so that asking again tries again.
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
        if (this.#held.get(key) === loading) this.#ready.set(key, value);
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

  /** The value if it is here already, without waiting. */
  now(key: string): Value | undefined {
    return this.#ready.get(key);
  }

  forget(key: string): void {
    this.#held.delete(key);
    this.#ready.delete(key);
  }

  clear(): void {
    this.#held.clear();
    this.#ready.clear();
  }
}
