export function npm(
  args: readonly string[],
  options?: { readonly cwd?: string; readonly returnsOutput?: boolean },
): string;
