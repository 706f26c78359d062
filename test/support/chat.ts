import { mkdirSync, symlinkSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import type {
  ChatHost,
  ChatListener,
  ChatOpening,
  ChatSession,
  ChatStep,
} from "../../src/moments/ports/chat.ts";
import type { Turn } from "../../src/moments/ports/turn.ts";
import type { Home } from "../../src/store/home.ts";
import { sdkFolder } from "./copilot-sdk.ts";

/** Puts the real SDK where a person would install it. */
export async function installSdk(home: Home): Promise<void> {
  mkdirSync(join(home.root, "chat"), { recursive: true });
  symlinkSync(join(await sdkFolder(), "node_modules"), join(home.root, "chat", "node_modules"));
}

export interface FakeSession {
  readonly opening: ChatOpening;
  readonly listener: ChatListener;
  readonly sent: string[];
  aborts: number;
}

/** A turn as a host reports it. */
export const turnStep = (id: string, more: Partial<Turn> = {}): ChatStep => ({
  kind: "turn",
  turn: { id, role: "user", text: "", calls: [], answers: [], offset: 0, marks: {}, at: 1, ...more },
});

/** A host without a process, for what the real one cannot show quickly. */
export function fakeChatHost(
  options: { installed?: boolean; folder?: string; history?: readonly ChatStep[] } = {},
): {
  readonly host: ChatHost;
  readonly sessions: FakeSession[];
  /** Called before a session is opened. */
  onOpen: () => Promise<void> | void;
  stops: number;
} {
  const sessions: FakeSession[] = [];
  const fake = {
    sessions,
    onOpen: (): Promise<void> | void => undefined,
    stops: 0,
    host: {
      package: () => ({
        isInstalled: options.installed ?? true,
        name: "@github/copilot-sdk",
        wanted: "1.0.14",
        folder: options.folder ?? "/nowhere",
        command: "npm install",
        downloadMB: 50,
        diskMB: 130,
      }),
      async open(opening): Promise<ChatSession> {
        await fake.onOpen();
        const session: FakeSession = { opening, listener: opening.listener, sent: [], aborts: 0 };
        sessions.push(session);
        return {
          id: opening.resume ?? `chat-${sessions.length}`,
          async send(prompt) {
            session.sent.push(prompt);
            opening.listener.onStep(turnStep(`prompt ${session.sent.length}`, { text: prompt }));
          },
          async abort() {
            session.aborts += 1;
            opening.listener.onStep({ kind: "idle", isAborted: true });
          },
          history: async () => options.history ?? [],
          rename: async () => undefined,
          close: async () => undefined,
        };
      },
      models: async () => [],
      async stop() {
        fake.stops += 1;
      },
    } satisfies ChatHost,
  };
  return fake;
}

const piece = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({
    id: "c",
    object: "chat.completion.chunk",
    created: 0,
    model: "m",
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...(finish === null ? {} : { usage: { prompt_tokens: 1200, completion_tokens: 34, total_tokens: 1234 } }),
  })}\n\n`;

/** An answer that a test sends piece by piece. */
export function slowAnswer(): {
  readonly answer: (outgoing: ServerResponse) => void;
  /** Resolves when the model was asked. */
  readonly asked: Promise<void>;
  say(text: string): void;
  end(): void;
  breakOff(): void;
} {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  let open: ServerResponse | undefined;
  return {
    asked,
    answer(outgoing) {
      open = outgoing;
      outgoing.writeHead(200, { "content-type": "text/event-stream" });
      outgoing.flushHeaders();
      resolve();
    },
    say: (text) => void open?.write(piece({ role: "assistant", content: text })),
    end: () => void open?.end(`${piece({}, "stop")}data: [DONE]\n\n`),
    breakOff: () => void open?.destroy(),
  };
}
