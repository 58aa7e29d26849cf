// Builds the window's pages into dist/ and serves them while developing.
//
// `vite build --mode mock` builds the same pages over the stand-in of src/lib/platform/mock, which a plain browser can
// show; `npm run dev` without Tauri does so too. The stand-in's data is made by mock/build_data.py and served from the
// folder that PINCITE_MOCK names. Deliberately not here: anything that reaches a network, and any font.
import { createReadStream, existsSync } from "node:fs";
import { join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

const library = fileURLToPath(new URL("./src/lib", import.meta.url));

function mockData(folder: string): Plugin {
  return {
    name: "pincite-mock-data",
    apply: "serve",
    configureServer(server) {
      server.middlewares.use("/mock", (request, response, next) => {
        const path = join(folder, normalize(decodeURIComponent((request.url ?? "/").split("?")[0] ?? "/")));
        if (!path.startsWith(folder) || !existsSync(path)) return next();
        response.setHeader("content-type", path.endsWith(".json") ? "application/json" : "image/png");
        createReadStream(path).pipe(response);
      });
    },
  };
}

export default defineConfig({
  plugins: [svelte(), mockData(process.env.PINCITE_MOCK ?? "/tmp/pincite-mock")],
  resolve: { alias: { $lib: library } },
  clearScreen: false,
  server: { port: 5173, strictPort: true, host: "127.0.0.1" },
  build: {
    target: "safari16",
    outDir: "dist",
    emptyOutDir: true,
    // The content policy allows no data: fonts or scripts, and one window needs no polyfill for preloading.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
  },
  test: { environment: "node", include: ["src/**/*.test.ts"] },
});
