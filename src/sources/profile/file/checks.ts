/**
 * Small checks to build schemas from. A valid value causes no allocation, because a seed may contain ten thousand
 * learnings.
 */

export interface SeedError {
  /** The place, such as `$.identity.preferences.timezone`. */
  readonly path: string;
  readonly message: string;
  readonly code: string;
}

/** Returns what is wrong with a value, with paths relative to it; undefined if it is valid. */
export type Check = (value: unknown) => SeedError[] | undefined;

export function fault(code: string, message: string): SeedError[] {
  return [{ path: "", message, code }];
}

export function text({ min = 0 }: { min?: number } = {}): Check {
  return (value) => {
    if (typeof value !== "string") return wrongType("string", value);
    return value.length < min ? fault("too_small", "must not be empty") : undefined;
  };
}

export function pattern(shape: RegExp, wanted: string): Check {
  return (value) => {
    if (typeof value !== "string") return wrongType("string", value);
    return shape.test(value) ? undefined : fault("invalid_format", `must be ${wanted}`);
  };
}

export function oneOf(choices: readonly string[]): Check {
  return (value) => {
    if (typeof value === "string" && choices.includes(value)) return undefined;
    return fault("invalid_enum_value", `must be one of ${choices.join(", ")}`);
  };
}

export const flag: Check = (value) => (typeof value === "boolean" ? undefined : wrongType("boolean", value));

export const finite: Check = (value) =>
  typeof value === "number" && Number.isFinite(value) ? undefined : wrongType("number", value);

export const whole: Check = (value) => (Number.isInteger(value) ? undefined : wrongType("integer", value));

/** Dates with a day that exists in every month need no further check. */
const USUAL = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/;
const TIMESTAMP = /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?Z$/;

/** ISO with seconds and `Z`: with an offset or a plain date, other readers would refuse the whole file. */
export const timestamp: Check = (value) => {
  if (typeof value !== "string") return wrongType("string", value);
  if (USUAL.test(value)) return undefined;
  const [, year, month, day] = TIMESTAMP.exec(value) ?? [];
  const isDay =
    day !== undefined &&
    Number(month) >= 1 &&
    Number(month) <= 12 &&
    Number(day) >= 1 &&
    Number(day) <= daysIn(Number(year), Number(month));
  return isDay
    ? undefined
    : fault("invalid_format", "must be an ISO time in UTC, such as 2026-02-01T09:30:00Z");
};

function daysIn(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
}

export function list(check: Check): Check {
  return (value) => {
    if (!Array.isArray(value)) return wrongType("array", value);
    let all: SeedError[] | undefined;
    for (let i = 0; i < value.length; i++) {
      const errors = check(value[i]);
      if (errors !== undefined) all = [...(all ?? []), ...under(`[${i}]`, errors)];
    }
    return all;
  };
}

/** Keys that are not listed belong to other programs: they are valid and are kept. */
export function shape(fields: Readonly<Record<string, Check>>, optional: readonly string[] = []): Check {
  const entries = Object.entries(fields).map(([key, check]) => ({
    key,
    check,
    isOptional: optional.includes(key),
  }));
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return wrongType("object", value);
    const record = value as Record<string, unknown>;
    let all: SeedError[] | undefined;
    for (const { key, check, isOptional } of entries) {
      const held = record[key];
      if (held === undefined && isOptional) continue;
      const errors = held === undefined ? fault("missing_field", "is missing") : check(held);
      if (errors !== undefined) all = [...(all ?? []), ...under(`.${key}`, errors)];
    }
    return all;
  };
}

function under(step: string, errors: readonly SeedError[]): SeedError[] {
  return errors.map((error) => ({ ...error, path: step + error.path }));
}

function wrongType(wanted: string, value: unknown): SeedError[] {
  const given = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  return fault("invalid_type", `must be ${wanted}, is ${given}`);
}
