import { oneLine } from "../../../base/for-terminal.ts";
import { clip, normalized } from "../../../base/text.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import { withFresh } from "../../../sources/sessions/actions/fresh.ts";
import { type Resumable, resumableOf } from "../../../sources/sessions/actions/resume.ts";
import type { Preview } from "../../../sources/sessions/indexing/prompts.ts";
import { shownName } from "../../../sources/sessions/labels.ts";
import type { Sessions } from "../../../sources/sessions/library.ts";
import type { PastSession } from "../../../sources/sessions/session.ts";
import { placeFor } from "../../actions/as-command.ts";
import type { Input, Outcome } from "../../command.ts";
import { type FullScreen, withFullScreen } from "../../terminal/full-screen.ts";
import type { Key } from "../../terminal/keys.ts";
import { paintedForTerminal, paintFor } from "../../terminal/paint.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { indexSearch } from "./pick-index.ts";
import { draw } from "./pick-lines.ts";
import { fold } from "./pick-match.ts";
import { previewLines } from "./pick-preview.ts";
import {
  type Candidate,
  type Decision,
  enrich,
  offer,
  type PickState,
  press,
  resize,
  startPicking,
} from "./pick-state.ts";
import { start } from "./resume.ts";

const MOST_OF_NAME = 200;
/** How long prompts are read before keys are handled again. */
const SLICE_MS = 8;
/** How often the prompts that were read so far are searched. */
const SHOWN_EVERY_MS = 250;

/** Lets the user choose a session and resumes it. Undefined if there is none. */
export async function pick(input: Input): Promise<Outcome | undefined> {
  const decided = await withFresh(placeFor(input), async (sessions) => {
    const { agentName } = await input.others(input);
    const all = sessions.list({ spoken: true }).map((one) => candidateOf(one, agentName(one.host)));
    return all.length === 0 ? undefined : choose(input, sessions, all);
  });
  if (decided === undefined) return undefined;
  if (decided === "interrupt") return { data: null, text: "", exitCode: 130 };
  return decided === "leave" ? { data: null, text: "" } : start(input, decided);
}

export function candidateOf(session: PastSession, agent: string): Candidate {
  const name = clip(normalized(oneLine(shownName(session)), "NFC"), MOST_OF_NAME);
  const project = clip(normalized(oneLine(session.label ?? ""), "NFC"), MOST_OF_NAME);
  return {
    session,
    name,
    project,
    agent,
    // Both may be typed: `Claude Code` and `claude-code`.
    text: { name: fold(name), project: fold(project), agent: fold(`${agent} ${session.host}`), prompts: "" },
  };
}

function choose(
  input: Input,
  sessions: Sessions,
  all: readonly Candidate[],
): Promise<Resumable | "leave" | "interrupt"> {
  const screen = input.screen ?? PLAIN;
  const paint = paintFor(screen);
  const previews = new Map<PastSession, Preview>();
  const previewOf = (session: PastSession): Preview => {
    const known = previews.get(session) ?? sessions.preview(session);
    previews.set(session, known);
    return known;
  };
  const look = () => {
    const common = { paint, hasUnicode: screen.hasUnicode, now: input.now() };
    return {
      ...common,
      preview: (one: Candidate, width: number) =>
        previewLines(one, previewOf(one.session), width, {
          ...common,
          shortPath: (path) => shortPath(path, input.env),
        }),
    };
  };
  return withFullScreen(
    (listen) =>
      new Promise((resolve, reject) => {
        let state: PickState = startPicking(all, { width: screen.width, height: screen.height });
        let shown: FullScreen | undefined;
        let isOver = false;
        const inside = indexSearch({
          sessions,
          all,
          found: (query, more) => safely(() => show(offer(state, query, more))),
        });
        const settle = (settled: () => void) => {
          isOver = true;
          inside.stop();
          settled();
        };
        /** An error in an event handler would end the process with a stack trace. */
        const safely = (work: () => void) => {
          if (isOver) return;
          try {
            work();
          } catch (error) {
            settle(() => reject(error));
          }
        };
        const show = (next: PickState) => {
          state = next;
          const { lines, cursor } = draw(state, look());
          shown?.draw({ lines: lines.map(paintedForTerminal), cursor });
        };
        const decide = (decision: Decision) => {
          if (decision.kind !== "chosen") return settle(() => resolve(decision.kind));
          const found = sessions.resumption(decision.session);
          if ("why" in found)
            return show({ ...state, message: `This session cannot be resumed: ${found.why}.` });
          settle(() => resolve(resumableOf(sessions, decision.session)));
        };
        const pressed = (key: Key) => {
          const next = press(state, key);
          if ("kind" in next) return decide(next);
          const isTyped = next.query !== state.query;
          show(next);
          if (isTyped) inside.typed(state);
        };
        listen({
          pressed: (key) => safely(() => pressed(key)),
          ended: () => safely(() => decide({ kind: "leave" })),
          resized: (size) =>
            safely(() => {
              shown = size;
              show(resize(state, { width: size.width, height: size.height }));
            }),
        });
        readPrompts(sessions, all, {
          isOver: () => isOver,
          read: (more) => safely(() => show(enrich(state, more))),
          safely,
        });
      }),
  );
}

interface Reading {
  isOver(): boolean;
  read(all: readonly Candidate[]): void;
  safely(work: () => void): void;
}

/** Reads the first prompts in small steps, newest sessions first: with many sessions this takes a second or more. */
function readPrompts(sessions: Sessions, all: readonly Candidate[], { isOver, read, safely }: Reading): void {
  const done = [...all];
  let at = 0;
  let shownAt = Date.now();
  const slice = () => {
    const begun = Date.now();
    while (at < all.length && Date.now() - begun < SLICE_MS) {
      const one = all[at] as Candidate;
      const prompts = fold(oneLine(normalized(sessions.firstPrompts(one.session).join(" "), "NFC")));
      done[at++] = { ...one, text: { ...one.text, prompts } };
    }
    if (at === all.length || Date.now() - shownAt > SHOWN_EVERY_MS) {
      shownAt = Date.now();
      read([...done]);
    }
    if (at < all.length && !isOver()) setImmediate(next);
  };
  const next = () => safely(slice);
  setImmediate(next);
}
