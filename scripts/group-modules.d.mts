interface Module {
  readonly size: number;
  readonly imports: readonly string[];
  readonly builtins: readonly string[];
}
export function extraImports(
  modules: ReadonlyMap<string, Module>,
  entries: readonly string[],
  processes: readonly string[],
  hooks: readonly string[],
  isOfMoment: (entry: string) => boolean,
): Map<string, string[]>;
