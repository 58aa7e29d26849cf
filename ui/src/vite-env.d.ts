// Vite's own types. Deliberately not here: any of ours.
/// <reference types="vite/client" />
