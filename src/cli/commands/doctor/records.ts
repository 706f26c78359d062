import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../../../base/errors.ts";
import { readRecord } from "../../../sources/sessions/records/files.ts";
import { type Check, type NamedFinding, warn } from "./check.ts";

/** Records of past sessions that cannot be read: their sessions are found without what was written about them. */
export const checkRecords: Check = (_, home) => {
  if (home === undefined) return [];
  const damaged: string[] = [];
  const folder = join(home.root, "sessions-meta");
  for (const host of list(folder)) {
    const below = join(folder, host.name);
    for (const { name } of host.isDirectory() ? list(below).slice(0, MOST_RECORDS) : []) {
      if (name.endsWith(".meta.json")) readRecord(join(below, name), (reason) => void damaged.push(reason));
    }
    if (!host.isDirectory()) damaged.push(`${below} is no folder`);
  }
  const findings = damaged.slice(0, MAX_SHOWN).map((reason): NamedFinding => warn("records", reason, MEND));
  const more = damaged.length - findings.length;
  return more > 0 ? [...findings, warn("records", `${more} more cannot be read`, MEND)] : findings;

  function list(path: string): Dirent[] {
    try {
      return readdirSync(path, { withFileTypes: true });
    } catch (error) {
      const code = systemCode(error);
      if (code !== "ENOENT")
        damaged.push(`${path} ${code === "ENOTDIR" ? "is no folder" : `cannot be read (${code})`}`);
      return [];
    }
  }
};

const MEND = "move it away; continuo sessions index makes records from what the hosts keep of the sessions";

/** For each host. Reading them all takes a second or two. */
const MOST_RECORDS = 20_000;
const MAX_SHOWN = 10;
