import { dirname } from "node:path";
import type { HostName } from "../../../base/host-names.ts";
import type {
  Discovery,
  Header,
  RecentQuery,
  SessionFile,
  TranscriptReader,
} from "../../../moments/ports/history.ts";
import { statFile } from "../../../store/read-file.ts";
import { newestOf, ofProject } from "./files.ts";
import { type LineParser, readJsonLines } from "./read-json-lines.ts";
import type { Place } from "./turns.ts";

/** The specifics of a host that stores each session in a file of JSON lines. */
export interface SessionFiles
  extends Pick<TranscriptReader, "headerOf" | "lastRequest" | "contextWindow" | "resumeWords"> {
  readonly host: HostName;
  /** Every file that may be a session's. */
  paths(env: NodeJS.ProcessEnv, onFailure: Discovery["onFailure"]): Iterable<string>;
  /**
   * The same, but only for the newest ones of a project. Everything that they depend on goes into the query's basis.
   */
  recentPaths(env: NodeJS.ProcessEnv, query: RecentQuery): Iterable<string>;
  /** What the path says about the session; undefined if it is not a session's file. */
  named(path: string, env: NodeJS.ProcessEnv): Pick<SessionFile, "id" | "parent"> | undefined;
  /** Set if file names contain only the beginning of the id, and the header the whole id. */
  readonly hasShortNames?: boolean;
  /** The file beside a session's file that contains its title. */
  titleFile?(path: string): string;
  /** Types of lines without conversation, which the host also writes when nothing happens. */
  readonly ignored?: readonly string[];
  parser(opened: OpenedSession): LineParser;
}

/** A session's file, about to be read. */
interface OpenedSession {
  readonly file: SessionFile;
  readonly place: Place;
  /** The offset at which reading begins. */
  readonly from: number;
  header(): Header;
}

export function readerOf(about: SessionFiles): TranscriptReader {
  const { host, headerOf, lastRequest, contextWindow, resumeWords } = about;
  const fileAt = (path: string, env: NodeJS.ProcessEnv): SessionFile | undefined => {
    const named = about.named(path, env);
    const found = named && statFile(path);
    return found && { host, path, ...named, ...found };
  };
  const withId = (file: SessionFile): SessionFile =>
    about.hasShortNames === true && file.parent === undefined
      ? { ...file, id: headerOf(file).id ?? file.id }
      : file;
  return {
    host,
    discover(env, { project, onFailure } = {}) {
      const files = [...about.paths(env, onFailure)].flatMap((path) => fileAt(path, env) ?? []);
      return ofProject(files.map(withId), project, headerOf);
    },
    recent(env, query) {
      const sessionAt = (path: string) => fileAt(path, env);
      const found = newestOf(about.recentPaths(env, query), query, sessionAt, headerOf, about.ignored);
      query.basis?.watch(...found.flatMap(({ path }) => about.titleFile?.(path) ?? []));
      return found.map(withId);
    },
    headerOf,
    read(file, options = {}) {
      const makeParser = () => {
        let known: Header | undefined;
        const header = () => (known ??= headerOf(file));
        const cwd = file.cwd ?? header().cwd ?? dirname(file.path);
        const place = { cwd, root: options.root ?? cwd };
        return about.parser({ file, place, from: options.from ?? 0, header });
      };
      return readJsonLines(file.path, makeParser, options);
    },
    lastRequest,
    contextWindow,
    resumeWords,
  };
}
