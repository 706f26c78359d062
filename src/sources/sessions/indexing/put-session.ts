import { basename } from "node:path";
import type { Title } from "../../../moments/ports/history.ts";
import { findProject } from "../../../moments/project/project.ts";
import { cleanName } from "../../../moments/state/session-name.ts";
import type { Project } from "../../../moments/types.ts";
import { redact } from "../../../store/redact.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import type { NamedBy, SessionKey } from "../session.ts";
import { makeName } from "./name.ts";
import { commitSubjects } from "./own-names.ts";
import type { Piece, TurnRead } from "./pieces.ts";
import { MOST_SESSIONS } from "./units.ts";

/** Names from the metadata and the record, which outlive the index. */
export type Naming = (key: SessionKey) => RecordedNames | undefined;

interface RecordedNames {
  /** Given by the user, with `sessions name` or in the page. */
  readonly given: string | undefined;
  readonly model: string | undefined;
  /** Earlier names that models gave. */
  readonly earlier: readonly string[];
}

interface Row {
  readonly id: number;
  readonly name: string;
  readonly named_by: NamedBy;
}

/** Inserts or updates the row of a piece's session. Undefined when no session number is left. */
export function putSession(
  db: Database,
  piece: Piece,
  naming: Naming,
  onProject?: (project: Project) => void,
): number | undefined {
  const { file, header } = piece;
  const { host, id: sid } = file;
  const known = db.get<Row>("SELECT id, name, named_by FROM session WHERE host = ? AND sid = ?", [host, sid]);
  const named = nameNow(piece, known, naming({ host, id: sid }));
  const cwd = file.cwd ?? header.cwd;
  const project = cwd === undefined ? undefined : projectOf(cwd);
  if (project !== undefined) onProject?.(project);
  const parent = file.parent ?? header.parent;
  // A copy or a backup has its own file time. A time in the future would stay the latest for years.
  const lastTime = [...piece.turns, ...piece.open].findLast(({ at }) => at !== undefined)?.at;
  const modified = Math.min(lastTime ?? file.modified, Date.now());
  const started = header.startedAt ?? file.startedAt ?? piece.turns[0]?.at ?? modified;
  const forkOf = header.forkOf === undefined ? null : idIn(header.forkOf);
  const about = {
    name: named.name,
    by: named.by,
    project: project?.id ?? null,
    label: project?.label ?? null,
    cwd: cwd ?? null,
    branch: header.branch ?? null,
    parent: parent ?? null,
    isChild: parent === undefined ? 0 : 1,
    forkOf,
    isForkStated: forkOf === null ? 0 : 1,
    continues: header.continues === undefined ? null : idIn(header.continues),
    modified,
  };
  if (known !== undefined) {
    // The first value is kept, unless it came from another file at this path.
    const firstValue = (column: string, value: string): string =>
      `${column} = ${piece.isReplaced ? value : `coalesce(${column}, ${value})`}`;
    db.run(
      `UPDATE session SET name = $name, named_by = $by, is_gone = 0,
         modified = iif(${piece.isReplaced ? 1 : 0}, $modified, iif(${lastTime === undefined ? 0 : 1}, max(modified, $modified), modified)),
         ${firstValue("project", "$project")}, ${firstValue("label", "$label")}, ${firstValue("cwd", "$cwd")}, ${firstValue("branch", "$branch")},
         ${firstValue("parent", "$parent")}, is_child = max($isChild, ${piece.isReplaced ? 0 : "is_child"}),
         fork_of = iif($isForkStated, $forkOf, ${piece.isReplaced ? "NULL" : "fork_of"}),
         is_fork_told = max($isForkStated, ${piece.isReplaced ? 0 : "is_fork_told"}), ${firstValue("continues", "$continues")}
       WHERE id = $id`,
      { ...about, id: known.id },
    );
    return known.id;
  }
  const last = db.get<{ id: number }>("SELECT id FROM session ORDER BY id DESC LIMIT 1")?.id ?? 0;
  if (last >= MOST_SESSIONS) return undefined;
  return db.run(
    `INSERT INTO session (host, sid, project, label, cwd, branch, name, named_by, started, modified, parent, fork_of,
       is_fork_told, continues, is_child)
     VALUES ($host, $sid, $project, $label, $cwd, $branch, $name, $by, $started, $modified, $parent, $forkOf,
       $isForkStated, $continues, $isChild)`,
    // If the clock went back, a session must not end before it began.
    { ...about, host, sid, started: Math.min(started, modified) },
  ).lastId;
}

/** Precedence: the user's name, a model's, the host's, Continuo's, which is derived from what was asked and done. */
function nameNow(
  { file, header, isReplaced, turns, open, report }: Piece,
  known: Row | undefined,
  recorded: RecordedNames | undefined,
): { name: string; by: NamedBy } {
  if (recorded?.given !== undefined) return { name: recorded.given, by: "given" };
  // Without metadata and record, only the index has the name.
  if (known?.named_by === "given" && recorded === undefined) return { name: known.name, by: "given" };
  const isPersons = known?.named_by === "person" && !isReplaced;
  // A header comes only from the file's beginning and end. An old name at the beginning must not replace a newer one
  // that was read since.
  const title: Title | undefined = report?.title ?? (isPersons ? undefined : header.title);
  const hostName = title === undefined ? "" : cleanName(redact(title.text));
  // pi was given the model's name and cannot distinguish it from the user's.
  const isModels = (name: string): boolean =>
    recorded !== undefined && [recorded.model, ...recorded.earlier].includes(name);
  if (title?.by === "person" && hostName !== "" && !isModels(hostName))
    return { name: hostName, by: "person" };
  if (isPersons && !isModels(known.name)) return { name: known.name, by: "person" };
  if (recorded?.model !== undefined) return { name: recorded.model, by: "model" };
  if (title !== undefined && hostName !== "") return { name: hostName, by: title.by };
  // A name made from the first request of a replaced file says nothing about this one.
  if (known !== undefined && known.name !== file.id && known.named_by !== "given" && !isReplaced)
    return { name: known.name, by: known.named_by };
  return { name: ownName(header.branch, [...turns, ...open]) ?? file.id, by: "us" };
}

/** From the first piece of a session; may be derived again when more was said, see `own-names.ts`. */
function ownName(branch: string | undefined, turns: readonly TurnRead[]): string | undefined {
  const edited = turns.flatMap(({ files }) => files).filter(({ access }) => access === "edit");
  const calls = turns.flatMap(({ passages }) => passages.filter(([, kind]) => kind === "c"));
  const name = makeName({
    requests: turns.filter(({ isPrompt }) => isPrompt).map((turn) => turn.passages[0]?.[3] ?? ""),
    branch,
    commits: commitSubjects(calls.flatMap(([, , , text]) => text.split("\n"))),
    edited: edited.map(({ path }) => path).reverse(),
  });
  return name && redact(name); // a branch may have any name
}

/** pi's file name contains the id. */
function idIn(session: string): string {
  return /^[\dTZ-]+_(.+)\.jsonl$/.exec(basename(session.replaceAll("\\", "/")))?.[1] ?? session;
}

const projects = new Map<string, Project>();

function projectOf(cwd: string): Project {
  const known = projects.get(cwd) ?? findProject(cwd);
  if (projects.size > 10_000) projects.clear();
  projects.set(cwd, known);
  return known;
}
