// Starts the window: platform, workspace, then the shell. Deliberately not here: any screen.
import { mount } from "svelte";
import App from "./App.svelte";
import { importState } from "$lib/intake/import.svelte";
import { CommandError } from "$lib/platform/contract";
import { startPlatform } from "$lib/platform/start";
import { windowState } from "$lib/shell/window.svelte";
import "./styles/tokens.css";
import "./styles/base.css";

const target = document.getElementById("window");

async function start(): Promise<void> {
  if (!target) return;
  // Nothing that runs later may change what every object inherits. Tauri's own switch freezes before the modules are
  // evaluated, where the chart library still sets `constructor` on its prototypes and would fail; here they are loaded.
  Object.freeze(Object.prototype);
  await startPlatform();
  await Promise.all([windowState.start(), importState.listen()]);
  mount(App, { target });
}

start().catch((cause: unknown) => {
  if (target) target.textContent = `Pincite could not start: ${CommandError.from(cause).message}`;
});
