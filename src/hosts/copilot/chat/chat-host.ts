import { ContinuoError, describeError } from "../../../base/errors.ts";
import { isRecord } from "../../../base/json.ts";
import type { ChatHost, ChatOpening, ChatProvider, ChatSession } from "../../../moments/ports/chat.ts";
import { failure, recordHealth } from "../../../store/health.ts";
import type { Home } from "../../../store/home.ts";
import type { Client } from "../sdk/api.ts";
import { failureOf } from "./failures.ts";
import { findSdk } from "./find-sdk.ts";
import { permissionOf } from "./permission.ts";
import { IDLE_MS, type Runtime, startRuntime } from "./runtime.ts";
import type { SdkClient, SdkConfig, SdkEvent, SdkSession } from "./sdk.ts";
import { stepReader } from "./steps.ts";

export interface ChatHostOptions {
  readonly home: Home;
  /** The environment of the runtime's process. */
  readonly env: () => NodeJS.ProcessEnv;
  /** Adds Continuo to the client's sessions. */
  readonly wrap: (client: SdkClient) => Client<SdkConfig, SdkConfig, SdkSession>;
  readonly idleMs?: number;
}

interface Running {
  readonly runtime: Runtime;
  readonly client: Client<SdkConfig, SdkConfig, SdkSession>;
  /** Called when the process ends by itself. */
  readonly sessions: Set<(why: "idle" | "failed") => void>;
}

/** Conversations on the Copilot SDK: with the user's own key, or with the login of Copilot CLI. */
export function createChatHost({ home, env, wrap, idleMs = IDLE_MS }: ChatHostOptions): ChatHost {
  // One process with the login and one without: that is decided when the process starts.
  const started = new Map<boolean, Promise<Running>>();

  function start(usesLogin: boolean): Promise<Running> {
    const known = started.get(usesLogin);
    if (known !== undefined) return known;
    const { entry, command } = findSdk(home);
    if (entry === undefined)
      throw new ContinuoError("chat-not-installed", "the Copilot SDK is not installed", {
        hint: `Install it: ${command}`,
      });
    const sessions = new Set<(why: "idle" | "failed") => void>();
    const onEnd = (why: "idle" | "failed"): void => {
      started.delete(usesLogin);
      for (const gone of sessions) gone(why);
    };
    const report = (error: ContinuoError) => void recordHealth(home.logs, failure("chat", error, Date.now()));
    const running = startRuntime({ entry, env: env(), usesLogin, idleMs, onEnd, report }).then((runtime) => ({
      runtime,
      client: wrap(runtime.client),
      sessions,
    }));
    started.set(usesLogin, running);
    running.catch(() => started.delete(usesLogin));
    return running;
  }

  return {
    package: () => {
      const { entry: _, ...about } = findSdk(home);
      return about;
    },
    async open(opening) {
      const running = await start(opening.provider.type === "copilot");
      return openSession(running, opening);
    },
    async models() {
      const { runtime } = await start(true);
      const done = runtime.use();
      try {
        const models = await runtime.client.listModels();
        return models.slice(0, 200).map(({ id, name }) => ({ id, name: name ?? id }));
      } catch (error) {
        throw asError(failureOf({ message: describeError(error).message }));
      } finally {
        done();
      }
    },
    async stop() {
      const all = [...started.values()];
      started.clear();
      await Promise.all(
        all.map((one) =>
          one.then(
            ({ runtime }) => runtime.stop(),
            () => undefined,
          ),
        ),
      );
    },
  };
}

async function openSession(running: Running, opening: ChatOpening): Promise<ChatSession> {
  const { listener, cwd, provider, resume } = opening;
  let done: (() => void) | undefined;
  const stepsOf = stepReader(cwd);
  const onEvent = (event: SdkEvent): void => {
    for (const step of stepsOf(event)) {
      if (step.kind === "idle") done?.();
      listener.onStep(step);
    }
  };
  const config: SdkConfig = {
    ...providerConfig(provider),
    clientName: "continuo",
    streaming: true,
    workingDirectory: cwd,
    // Otherwise programs that a repository declares as hooks would run without a question.
    enableFileHooks: false,
    enableConfigDiscovery: false,
    includeSubAgentStreamingEvents: false,
    onEvent,
    onPermissionRequest: async (request: unknown) => {
      const answer = await listener.onPermission(permissionOf(request, cwd));
      return answer.allow ? { kind: "approve-once" } : { kind: "reject", feedback: answer.reason };
    },
    onUserInputRequest: async (request: unknown) => {
      const asked = isRecord(request) ? request : {};
      const listed: unknown[] = Array.isArray(asked["choices"]) ? asked["choices"] : [];
      const choices = listed.filter((one) => typeof one === "string").slice(0, 20);
      const question = typeof asked["question"] === "string" ? asked["question"] : "";
      const allowsText = asked["allowFreeform"] !== false;
      const answer = await listener.onQuestion({ question, choices, allowsText });
      return { answer, wasFreeform: !choices.includes(answer) };
    },
  };
  const release = running.runtime.use();
  let session: SdkSession;
  try {
    session =
      resume === undefined
        ? await running.client.createSession(config)
        : await running.client.resumeSession(resume, config);
  } catch (error) {
    throw notOpened(describeError(error).message, resume);
  } finally {
    release();
  }
  const gone = (why: "idle" | "failed"): void => {
    done?.();
    listener.onGone(why);
  };
  running.sessions.add(gone);
  return {
    id: session.sessionId,
    async send(prompt) {
      done?.();
      done = running.runtime.use();
      try {
        await session.send({ prompt });
      } catch (error) {
        done();
        throw asError(failureOf({ message: describeError(error).message }));
      }
    },
    abort: () => session.abort(),
    history: async () =>
      (await session.getEvents()).flatMap(stepReader(cwd)).filter(({ kind }) => kind !== "usage"),
    rename: async (name) => void (await session.rpc.name.set({ name })),
    async close() {
      running.sessions.delete(gone);
      done?.();
      await session.disconnect();
    },
  };
}

function providerConfig({ type, baseUrl, model, wireApi, key }: ChatProvider): SdkConfig {
  const chosen = model === "" ? {} : { model };
  if (type === "copilot") return chosen;
  const api = type === "openai" ? { wireApi } : {};
  return { ...chosen, provider: { type, baseUrl, ...api, apiKey: key } };
}

function notOpened(why: string, resume: string | undefined): ContinuoError {
  if (resume !== undefined && /not found|load session/i.test(why))
    return new ContinuoError("chat-not-resumable", "Copilot cannot resume this session", {
      hint: "Its files are gone or of another version. Start a new chat and refer to it with @@.",
    });
  return asError(failureOf({ message: why }));
}

function asError({ code, message, hint }: { code: string; message: string; hint: string }): ContinuoError {
  return new ContinuoError(code, message, { hint });
}
