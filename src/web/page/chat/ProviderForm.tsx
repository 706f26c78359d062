import { useState } from "preact/hooks";
import type { ChatProviderState, ChatProviderTest, ChatProviderType } from "../../api/chat.ts";
import { api, failureOf } from "../core/api.ts";
import { sentence } from "../core/format.ts";
import { notify } from "../core/notices.ts";
import { Button } from "../parts/Button.tsx";

interface Way {
  readonly type: Exclude<ChatProviderType, "none">;
  readonly label: string;
  readonly what: string;
  readonly baseUrl: string;
  readonly keyEnv: string;
}

/** The three kinds of model access. */
const WAYS: readonly Way[] = [
  {
    type: "openai",
    label: "OpenAI-compatible endpoint",
    what: "OpenAI, OpenRouter, Azure, Gemini, Ollama, LM Studio, vLLM and others, with your own key.",
    baseUrl: "https://api.openai.com/v1",
    keyEnv: "OPENAI_API_KEY",
  },
  {
    type: "anthropic",
    label: "Anthropic endpoint",
    what: "Claude models with your own key.",
    baseUrl: "https://api.anthropic.com",
    keyEnv: "ANTHROPIC_API_KEY",
  },
  {
    type: "copilot",
    label: "GitHub Copilot login",
    what: "Your Copilot plan, with the login of Copilot CLI on this machine.",
    baseUrl: "",
    keyEnv: "",
  },
];

const KEYS = {
  none: "No key is used.",
  environment: "The key comes from this variable.",
  memory: "A key was typed in. It is kept in memory until the server ends.",
} as const;

/** Where the model runs. The key is never shown again and never stored. */
export function ProviderForm({ provider, changed }: { provider: ChatProviderState; changed: () => void }) {
  const [form, setForm] = useState({ ...provider });
  const [key, setKey] = useState("");
  const [said, setSaid] = useState<ChatProviderTest>();
  const [isBusy, setBusy] = useState(false);
  const set = (change: Partial<ChatProviderState>) => setForm({ ...form, ...change });
  const choose = (way: Way) =>
    set(
      way.type === form.type ? {} : { type: way.type, baseUrl: way.baseUrl, keyEnv: way.keyEnv, model: "" },
    );
  const field = (label: string, name: "baseUrl" | "model" | "keyEnv", placeholder?: string) => (
    <label>
      {label}
      <input
        value={form[name]}
        placeholder={placeholder}
        onInput={(event) => set({ [name]: event.currentTarget.value })}
      />
    </label>
  );
  const isEndpoint = form.type === "openai" || form.type === "anthropic";

  const save = async (): Promise<void> => {
    const { type, baseUrl, model, wireApi, keyEnv } = form;
    await api.put("/chats/provider", {
      ...{ type, baseUrl, model, wireApi, keyEnv },
      ...(key === "" ? {} : { key }),
    });
    setKey("");
  };
  const run = (work: () => Promise<ChatProviderTest | undefined>) => {
    setBusy(true);
    setSaid(undefined);
    work()
      .catch((error: unknown) => asTest(error))
      .then(setSaid)
      .finally(() => setBusy(false));
  };
  return (
    <form
      class="stack full gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        run(async () => {
          await save();
          changed();
          return undefined;
        });
      }}
    >
      <fieldset class="chat-ways stack box">
        <legend class="unseen">Where the model is</legend>
        {WAYS.map((way) => (
          <label
            key={way.type}
            class={
              form.type === way.type
                ? "chat-way flex start gap-3 pointer chat-way-chosen"
                : "chat-way flex start gap-3 pointer"
            }
          >
            <input type="radio" name="way" checked={form.type === way.type} onChange={() => choose(way)} />
            <span class="stack">
              <strong>{way.label}</strong>
              <span class="muted">{way.what}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {isEndpoint && (
        <div class="chat-fields">
          {field("Address", "baseUrl", WAYS.find(({ type }) => type === form.type)?.baseUrl)}
          {field("Model", "model", "The id that the provider uses")}
          {form.type === "openai" && (
            <label>
              API
              <select
                value={form.wireApi}
                onChange={(event) =>
                  set({ wireApi: event.currentTarget.value === "responses" ? "responses" : "completions" })
                }
              >
                <option value="completions">Chat completions (most endpoints)</option>
                <option value="responses">Responses</option>
              </select>
            </label>
          )}
          {field("Environment variable with the key", "keyEnv", "OPENAI_API_KEY, or empty")}
          <label>
            Or the key itself
            <input
              type="password"
              value={key}
              autocomplete="off"
              placeholder={provider.key === "memory" ? "A key is set" : "Kept in memory, never stored"}
              onInput={(event) => setKey(event.currentTarget.value)}
            />
          </label>
          <p class="muted small">
            {provider.key === "missing"
              ? `${provider.keyEnv} is not set where continuo web runs.`
              : KEYS[provider.key]}
          </p>
        </div>
      )}
      {form.type === "copilot" && (
        <div class="chat-fields">
          {field("Model", "model", "Empty: Copilot's default")}
          <p class="muted small">
            Log in once with <code>copilot</code> and <code>/login</code> in a terminal.
          </p>
        </div>
      )}
      {form.type !== "none" && (
        <div class="row wrap gap-2">
          <Button kind="primary" type="submit" disabled={isBusy}>
            Save
          </Button>
          <Button
            disabled={isBusy}
            onClick={() =>
              run(async () => {
                await save();
                const test = await api.post<ChatProviderTest>("/chats/provider/test");
                if (!test.ok) return test; // the form stays
                notify(test.message);
                changed();
                return undefined;
              })
            }
          >
            {isBusy ? "Asking…" : "Save and test"}
          </Button>
          <span class="muted small">The test sends one tiny request.</span>
        </div>
      )}
      {said && (
        <p role="status" class={said.ok ? "good" : "bad break"}>
          {said.message} {said.hint}
        </p>
      )}
    </form>
  );
}

function asTest(error: unknown): ChatProviderTest {
  const { message, hint } = failureOf(error);
  return { ok: false, message: `${sentence(message)}.`, hint };
}
