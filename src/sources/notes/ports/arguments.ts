import { ContinuoError } from "../../../base/errors.ts";
import { A_TIME, timeOf } from "../../../search/timespan.ts";

/** The arguments of a tool call. Numbers in quotes are accepted; the error for anything invalid says what is valid. */
export class Arguments {
  private readonly args: Readonly<Record<string, unknown>>;

  constructor(args: Readonly<Record<string, unknown>>) {
    this.args = args;
  }

  text(name: string): string {
    const value = this.optionalText(name);
    if (value !== undefined && value.trim() !== "") return value;
    throw invalid(name, "is missing", "a text");
  }

  optionalText(name: string): string | undefined {
    const value = this.args[name] ?? undefined;
    if (value === undefined || typeof value === "string") return value;
    throw invalid(name, `is of type ${typeof value}`, "a text");
  }

  /** Models that must fill in every argument write an empty text for an absent one. */
  filledText(name: string): string | undefined {
    return this.optionalText(name)?.trim() || undefined;
  }

  filledTexts(name: string): readonly string[] | undefined {
    const given = this.texts(name)?.filter((one) => one.trim() !== "");
    return given === undefined || given.length === 0 ? undefined : given;
  }

  /** A day or time, or how long ago, as milliseconds since 1970. */
  time(name: string, now: number): number | undefined {
    const text = this.filledText(name);
    if (text === undefined) return undefined;
    const time = timeOf(text, now);
    if (time !== undefined) return time;
    throw invalid(name, `is ${JSON.stringify(text.slice(0, 40))}`, A_TIME);
  }

  texts(name: string): readonly string[] | undefined {
    const value = this.args[name] ?? undefined;
    if (value === undefined) return undefined;
    const list = Array.isArray(value) ? value : [value];
    if (list.every((one: unknown) => typeof one === "string")) return list as string[];
    throw invalid(name, "is not a list of texts", '["a", "b"]');
  }

  whole(name: string, least: number, most: number): number | undefined {
    const value = this.args[name] ?? undefined;
    if (value === undefined) return undefined;
    const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
    if (Number.isInteger(number) && Number(number) >= least && Number(number) <= most) return Number(number);
    throw invalid(name, `is ${JSON.stringify(value)}`, `a whole number from ${least} to ${most}`);
  }

  flag(name: string): boolean | undefined {
    const value = this.args[name] ?? undefined;
    if (value === undefined || typeof value === "boolean") return value;
    if (value === "true" || value === "false") return value === "true";
    throw invalid(name, `is ${JSON.stringify(value)}`, "true or false");
  }

  choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const value = this.optionalText(name);
    if (value === undefined || value === "") return undefined;
    const found = choices.find((one) => one.toLowerCase() === value.toLowerCase());
    if (found !== undefined) return found;
    throw invalid(name, `is ${JSON.stringify(value)}`, `one of ${choices.join(", ")}`);
  }
}

function invalid(name: string, is: string, wanted: string): ContinuoError {
  return new ContinuoError("invalid-argument", `${name} ${is}`, { hint: `give ${wanted}` });
}
