// How svelte-check and Vite read components. Deliberately not here: preprocessors; TypeScript is all that is used, and
// Svelte strips types itself.
export default { compilerOptions: { css: "external" } };
