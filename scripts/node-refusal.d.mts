export function nodeRefusal(version: string, engines: string): string | undefined;
