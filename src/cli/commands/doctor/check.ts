import type { Finding } from "../../../hosts/port/installer.ts";
import type { Home } from "../../../store/home.ts";
import type { World } from "../../command.ts";

export interface NamedFinding extends Finding {
  readonly what: string;
}

/** `home` is undefined when no home can be found. */
export type Check = (world: World, home: Home | undefined) => NamedFinding[] | Promise<NamedFinding[]>;

export function ok(what: string, detail: string): NamedFinding {
  return { what, status: "ok", detail, mend: "" };
}

export function warn(what: string, detail: string, mend: string): NamedFinding {
  return { what, status: "warn", detail, mend };
}

export function fail(what: string, detail: string, mend: string): NamedFinding {
  return { what, status: "fail", detail, mend };
}
