export function nodeRefusal(version: string, engines: string): string | undefined;
export function usersNode(env: NodeJS.ProcessEnv): { readonly version: string; readonly path: string };
export function noteForSample(env: NodeJS.ProcessEnv, engines: string): string | undefined;
