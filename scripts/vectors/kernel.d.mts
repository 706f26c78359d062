export function compiledKernel(): Promise<string>;
