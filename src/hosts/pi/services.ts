import { fingerprint } from "../../base/fingerprint.ts";
import { isRecord } from "../../base/json.ts";
import { collapse } from "../../base/text.ts";
import { countTokens } from "../../compose/tokens.ts";
import type { AskUser } from "../../moments/ports/form.ts";
import type { HostNote, HostServices } from "../../moments/ports/tool.ts";
import type { RunParts } from "../../moments/run/run.ts";
import { loadConfig } from "../../store/config.ts";
import { homeForHost } from "../../store/home.ts";
import { recordFailure } from "../shared/follow.ts";
import type { Pi, PiContext, PiSessionManager } from "./api.ts";
import { CUSTOM_TYPE, namedByContinuo } from "./conversation.ts";
import { piModels } from "./models.ts";

/** What pi offers to sources, and what is written into pi's session file. */
export interface Services {
  readonly notes: Notes;
  /**
   * For one event. Reads what it needs from pi's context at once, because the context is stale after the session is
   * replaced.
   */
  of(ctx: PiContext): HostServices;
  /** Notes are not written while pi works. */
  setIdle(isIdle: boolean): void;
  /** Nothing is written after this: a late job must not write to the next session. */
  end(): void;
}

export function createServices(
  pi: Pi,
  { env, sources, now }: Pick<RunParts, "env" | "sources" | "now">,
): Services {
  let ended = false;
  let idle = true;

  function intoFile(work: () => void): void {
    if (ended) return;
    try {
      if (loadConfig(homeForHost(env).home.config, sources, env).config.sessionEntries) work();
    } catch (error) {
      recordFailure(env, "pi notes", error, now());
    }
  }

  const notes = createNotes((type, data) => intoFile(() => pi.appendEntry(type, data)));
  return {
    notes,
    of(ctx) {
      const { sessionManager, modelRegistry } = ctx;
      const ask = askIn(ctx);
      const id = sessionManager.getSessionId();
      const isHere = () => !ended && sessionManager.getSessionId() === id;
      return {
        models: piModels(modelRegistry),
        ask,
        note(type, data) {
          if (!isHere()) return;
          notes.keep({ type, data });
          if (idle) notes.write();
        },
        nameSession(name) {
          if (isHere()) intoFile(() => nameSession(pi, sessionManager, name));
        },
      };
    },
    setIdle(isIdle) {
      idle = isIdle;
      if (isIdle) notes.write();
    },
    end() {
      notes.write();
      ended = true;
    },
  };
}

/**
 * Continuo's notes in pi's own session file, for whoever reads it: how much was delivered and when, never the text
 * itself.
 */
export interface Notes {
  delivered(event: string, texts: readonly string[]): void;
  keep(note: HostNote): void;
  /** Call when a run is over: an entry between a turn's messages would be useless. */
  write(): void;
}

/** `append` is pi's function, as long as there is a session to append to. */
function createNotes(append: Pi["appendEntry"]): Notes {
  let deliveries: object[] = [];
  let kept: HostNote[] = [];
  return {
    delivered(event, texts) {
      const sizes = texts.map((text) => ({ tokens: countTokens(text), fingerprint: fingerprint(text) }));
      deliveries.push(...sizes.map((size) => ({ event, ...size })));
    },
    keep(note) {
      kept.push(note);
    },
    write() {
      const written = [
        ...kept,
        ...(deliveries.length === 0 ? [] : [{ type: CUSTOM_TYPE, data: { version: 1, deliveries } }]),
      ];
      [kept, deliveries] = [[], []];
      for (const { type, data } of written) append(type, data);
    },
  };
}

/**
 * Names the session in pi's lists, unless someone already did: with /name, with --name, or by another extension. With
 * each name, Continuo adds a note to pi's file that the name is its own, so that every process and every copy of the
 * file knows.
 */
export function nameSession(pi: Pi, sessionManager: PiSessionManager, name: string): void {
  const wanted = collapse(name);
  const entries = () => sessionManager.getEntries().filter(isRecord);
  const before = entries();
  const own = new Set(before.flatMap(namedByContinuo));
  const given = before.filter(isName);
  const last = given.at(-1);
  if (given.some(({ id }) => !own.has(id)) || last?.["name"] === wanted) return;
  if (wanted !== "") pi.setSessionName?.(wanted);
  const made = entries().findLast(isName);
  if (made !== undefined && made["id"] !== last?.["id"])
    pi.appendEntry(CUSTOM_TYPE, { version: 1, named: made["id"] });
}

function isName(entry: Record<string, unknown>): boolean {
  return entry["type"] === "session_info";
}

/** Shows a form as pi's own dialogs, one for each field. Undefined if there is no screen, or no dialogs. */
function askIn({ hasUI, ui }: PiContext): AskUser | undefined {
  if (hasUI !== true) return undefined;
  const { select, editor } = ui;
  if (select === undefined || editor === undefined) return undefined;
  return async ({ message, fields }) => {
    const answers: Record<string, string> = {};
    for (const [i, { title, name, choices, value, isAsked }] of fields.entries()) {
      if (isAsked?.(answers) === false) continue;
      const asked = i === 0 ? `${message}\n\n${title}` : title;
      const answer =
        choices === undefined
          ? await editor.call(ui, asked, value ?? "")
          : await select.call(ui, asked, [...choices]);
      if (answer === undefined) return undefined;
      answers[name] = answer;
    }
    return answers;
  };
}
