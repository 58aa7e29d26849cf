// The window's platform inside Tauri. The only file, with its neighbours here, that may name `@tauri-apps`.
//
// Deliberately not here: retries, caches, and knowledge of any command but the one that gives the page token.
import { invoke } from "@tauri-apps/api/core";
import { listen } from "@tauri-apps/api/event";
import { getCurrentWebview } from "@tauri-apps/api/webview";
import { open } from "@tauri-apps/plugin-dialog";
import { CommandError, type FileDrop, type Platform } from "./contract";

async function call<T>(command: string, request?: object): Promise<T> {
  try {
    return await invoke<T>(command, request === undefined ? {} : { request });
  } catch (cause) {
    throw CommandError.from(cause);
  }
}

export async function startTauri(): Promise<Platform> {
  // The page protocol answers only to this window's own token, so that no other webview can read pages.
  const token = await call<string>("page_token");
  return {
    call,
    on: (event, handler) => listen(event, (received) => handler(received.payload as never)),
    async pickFiles() {
      const chosen = await open({
        multiple: true,
        title: "Add documents or records",
        filters: [
          { name: "Documents and records", extensions: ["pdf", "PDF", "txt", "text", "md", "markdown", "jsonl", "json", "toml"] },
          { name: "Every file", extensions: ["*"] },
        ],
      });
      return chosen ?? [];
    },
    onFileDrop(drop: FileDrop) {
      return getCurrentWebview().onDragDropEvent(({ payload }) => {
        if (payload.type === "drop") {
          drop.over(false);
          if (payload.paths.length > 0) drop.dropped(payload.paths);
        } else {
          drop.over(payload.type !== "leave");
        }
      });
    },
    pageUrl: (docSha256, page, scale) => `pincite-page://localhost/${token}/${docSha256}/${page}?scale=${scale}`,
  };
}
