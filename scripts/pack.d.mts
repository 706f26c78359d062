// For the tests: pack.mjs itself has to run on any Node, without a build.
export function publishedManifest(manifest: Readonly<Record<string, unknown>>): Record<string, unknown>;
export function pack(folder: string): string;
export function packBuilt(folder: string): string;
