// A stand-in for the program behind the window, so that a plain browser can show every screen.
//
// Its data come from mock/build_data.py; its answers are close to Pincite's in shape and flow, and nothing rests on
// their numbers. `?theme=dark`, `?fail=unavailable`, `?fail=lease` and `?slow=200` change its ways. Never part of a production build.
// Deliberately not here: anything a test of Pincite relies on.
import type { Platform } from "../contract";
import { MockDesk } from "./desk";
import type { MockData } from "./data";

export async function startMock(): Promise<Platform> {
  const wishes = new URLSearchParams(location.search);
  const theme = wishes.get("theme");
  if (theme) document.documentElement.dataset.theme = theme;
  const data = (await (await fetch("/mock/data.json")).json()) as MockData;
  if (wishes.has("empty")) data.records = [];
  const listeners = new Map<string, Set<(payload: never) => void>>();
  const desk = new MockDesk(data, (event, payload) => {
    for (const handler of listeners.get(event) ?? []) handler(payload as never);
  });
  desk.empty = wishes.has("empty");
  desk.failing = wishes.get("fail");
  const slow = Number(wishes.get("slow") ?? 3);
  return {
    async call<T>(command: string, request?: object) {
      await new Promise((resolve) => setTimeout(resolve, slow));
      // Over the wire everything is a copy.
      return structuredClone(desk.answer(command, (request ?? {}) as Record<string, never>)) as T;
    },
    async on(event, handler) {
      const set = listeners.get(event) ?? new Set();
      listeners.set(event, set.add(handler as (payload: never) => void));
      return () => set.delete(handler as (payload: never) => void);
    },
    pickFiles: async () => ["/home/mara/tenders/pliego-2026-014.pdf", "/home/mara/tenders/records.jsonl"],
    onFileDrop: async () => () => undefined,
    pageUrl: (docSha256, page, scale) => `/mock/${docSha256}/${page}.png?scale=${scale}`,
  };
}
