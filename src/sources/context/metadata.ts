/** Metadata is a session's, not this source's: past sessions have their names in it too. */
export {
  findSession,
  findSessions,
  folderOfUser,
  hostsIn,
  isPlainId,
  type MetaFile,
  type MetaPatch,
  metaFile,
  metaOf,
  NO_META,
  patchMeta,
  type RawMeta,
  type SessionKey,
  type SessionMeta,
} from "../../moments/state/session-meta.ts";
