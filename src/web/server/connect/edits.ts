import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ContinuoError } from "../../../base/errors.ts";
import type { Installer } from "../../../hosts/port/installer.ts";
import { type Change, isChange } from "../../../hosts/shared/install/wire.ts";
import { aboutHidden, showDiff } from "../../../setup/diff.ts";
import { type Planned, planRemoval, planSetUp } from "../../../setup/plan.ts";
import type { Applied, ConnectAction, ConnectPreview, FileEdit } from "../../api/connect.ts";
import type { Web } from "../web.ts";

/** Longer than the diff of any ordinary settings file. */
const MAX_DIFF = 200_000;

export async function preview(
  web: Web,
  installer: Installer,
  action: ConnectAction,
): Promise<ConnectPreview> {
  const { changes } = await planned(web, installer, action);
  const made = changes.filter(isChange);
  const files: FileEdit[] = [];
  for (const change of made) files.push(await editOf(change));
  return {
    host: installer.host,
    label: installer.label,
    action,
    plan: identify(changes),
    files,
    words:
      made.length === 0
        ? []
        : action === "connect"
          ? connecting(installer, web)
          : disconnecting(installer, web),
  };
}

/** Makes exactly the edits that were shown. Refused if the files, or the text to write, have changed since. */
export async function apply(
  web: Web,
  installer: Installer,
  action: ConnectAction,
  plan: string,
): Promise<Applied> {
  const now = await planned(web, installer, action);
  if (identify(now.changes) !== plan)
    throw new ContinuoError(
      "settings-changed",
      `${installer.label}'s settings changed since you looked at the edit`,
      {
        hint: "nothing was changed; look at the new edit, then apply it",
      },
    );
  const backups = now.apply(web.now());
  const files = now.changes.filter(isChange).map(({ file }) => ({ file, backup: backups.get(file) ?? null }));
  return {
    message:
      action === "connect" ? `${installer.label} is connected.` : `${installer.label} is disconnected.`,
    files,
  };
}

async function planned(web: Web, installer: Installer, action: ConnectAction): Promise<Planned> {
  return action === "connect" ? planSetUp(web, installer, web.home) : planRemoval(web, installer, web.home);
}

function identify(changes: readonly Change[]): string {
  // Includes each file's real path: if a file has become a link since, the edit would be written elsewhere than shown.
  const parts = changes.map(({ file, before, after }) => [file, realOf(file), before ?? null, after ?? null]);
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

async function editOf(change: Change): Promise<FileEdit> {
  const { file, before, after } = change;
  const diff = await showDiff(change);
  const note = aboutHidden(diff);
  const target = before === undefined ? file : realOf(file);
  return {
    file,
    ...(target === file ? {} : { target }),
    change: before === undefined ? "create" : after === undefined ? "remove" : "edit",
    diff: diff.length > MAX_DIFF ? `${diff.slice(0, MAX_DIFF)}\n…` : diff,
    note,
  };
}

function realOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    // It does not exist, or was removed meanwhile, which applying will report.
    return dirname(file) === file ? file : join(realOf(dirname(file)), basename(file));
  }
}

function connecting({ label, mcp }: Installer, { home }: Web): string[] {
  return [
    `${label} calls Continuo when a session begins, is resumed or is compacted, and while you work in it.`,
    ...(mcp === undefined ? [] : [`Its model gets Continuo's tools for notes, rules and past sessions.`]),
    `A backup of each changed file is kept in ${home.backups}. Disconnecting restores it.`,
    "It takes effect in the next session.",
  ];
}

function disconnecting({ label }: Installer, { home }: Web): string[] {
  return [
    `${label} no longer calls Continuo. A settings file that is as Continuo left it gets its old content back; from any other only Continuo's entries are removed.`,
    `Your notes, rules and past sessions are kept in ${home.root}.`,
  ];
}
