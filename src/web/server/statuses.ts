import type { ContentfulStatusCode } from "hono/utils/http-status";

/**
 * Error codes by the status of the answer. Any other code is an unexpected failure: 500, and recorded for `continuo
 * doctor`.
 */
const CODES: Partial<Record<ContentfulStatusCode, string>> = {
  400: `
    ambiguous ambiguous-id api-body api-field api-id api-value chat-project-unknown context-item context-mode
    context-set-name folder-known folder-refused invalid-argument invalid-request mute-unknown
    name-empty no-checks no-model not-a-file not-a-folder note-ambiguous note-invalid note-path
    note-path-long note-unconfirmed note-unreadable path-invalid provider-invalid query-empty
    rule-ambiguous rule-condition rule-frontmatter rule-invalid rule-too-long rule-unclosed rule-unknown-key
    semantic-missing session-ambiguous timespan-invalid usage wikilink-required wikilinks-filtered`,
  401: "not-signed-in",
  403: `
    file-read-only file-unreadable no-permission not-allowed note-read-only path-not-allowed
    path-refused wrong-origin`,
  404: `
    api-no-route api-no-session chat-not-open folder-unknown no-project no-repository no-such-action
    no-such-address no-such-applet no-such-commit no-such-entry no-such-file no-such-folder
    no-such-id no-such-rule no-such-session no-such-turn not-in-trash not-muted note-not-found seed-missing
    session-not-found session-not-kept unknown-host unknown-project`,
  405: "api-method wrong-method",
  409: `
    applet-broken chat-folder-too-wide chat-not-installed chat-not-resumable chat-project-gone
    chat-request-over checks-changed connection-lost decided-meanwhile disk-read-only file-changed
    file-changed-place folder-unwritable git-failed git-refused key-missing key-refused
    learned-already model-failed model-not-found mutes-damaged mutes-full not-confirmed not-decided
    not-logged-in note-changed note-exists outside-root plugin-enabled proposals-unreadable
    exists folder-missing not-here provider-failed provider-missing rule-exists rule-foreign
    rule-is-link rule-unwritable too-many-commands seed-changed seed-damaged
    seed-in-history seed-newer seed-too-large seed-unreadable seed-unwritable settings-changed
    settings-foreign settings-invalid settings-not-strict settings-not-utf8 settings-read-only
    settings-too-large settings-unreadable settings-unwritable status-line-taken too-long
    trust-damaged`,
  412: "api-changed",
  413: "api-body-too-large body-too-large file-too-large input-too-large meta-too-large prompt-too-long",
  415: "body-not-json",
  421: "wrong-host",
  429: "chat-queue-full chat-too-many rate-limited too-many-requests",
  503: "chat-not-started git-busy git-late index-busy index-unwritable lock-busy too-many-streams",
  507: "disk-full",
};

const STATUSES = new Map(
  Object.entries(CODES).flatMap(([status, codes]) =>
    codes
      .trim()
      .split(/\s+/)
      .map((code) => [code, Number(status) as ContentfulStatusCode]),
  ),
);

/** undefined for a code that is not listed. */
export function statusOf(code: string): ContentfulStatusCode | undefined {
  return STATUSES.get(code);
}
