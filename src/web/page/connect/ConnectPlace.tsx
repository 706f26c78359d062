import type { ConnectList, ImportState } from "../../api/connect.ts";
import { attempt } from "../core/action.ts";
import { api } from "../core/api.ts";
import { count, number, sentence } from "../core/format.ts";
import { useGet } from "../core/resource.ts";
import { Button } from "../parts/Button.tsx";
import { Command } from "../parts/Copy.tsx";
import { InlineCode } from "../parts/InlineCode.tsx";
import { Page } from "../parts/Page.tsx";
import { Loaded } from "../parts/States.tsx";
import { Time } from "../parts/Time.tsx";
import { Agents } from "./Agents.tsx";
import { HEADINGS, KINDS } from "./kinds.ts";

/** Which agents are on this machine, and which of them call Continuo. */
export default function ConnectPlace() {
  return (
    <Page title="Connect" width="reading">
      <Connect />
    </Page>
  );
}

/** Also shown on the home page while no agent is connected. */
export function Connect() {
  const list = useGet<ConnectList>("/connect", {}, ["connect", "import"]);
  return (
    <Loaded resource={list}>
      {({ hosts, sessions }) => (
        <div class="connect stack gap-8">
          <p class="muted reading-type">
            Continuo gives your agents your rules, notes and past sessions. It does so by a few entries in an
            agent's settings: you see the exact edit before it is made.
          </p>
          <Agents hosts={hosts} reload={list.reload} />
          <Import state={sessions} reload={list.reload} />
          {hosts.some(({ state }) => state === "connected") && <TryIt />}
          <Kinds />
        </div>
      )}
    </Loaded>
  );
}

/** Indexing makes past sessions searchable. It reads transcripts and sends nothing. */
function Import({ state, reload }: { state: ImportState; reload: () => void }) {
  const start = () => attempt("Not imported", () => api.post("/connect/import").then(reload));
  return (
    <section class="stack gap-3" aria-labelledby="connect-import">
      <h2 id="connect-import">Past sessions</h2>
      <div class="min-28 row wrap between gap-2-4">
        {/* Announced only at the end; the numbers in between would be noise. */}
        <p aria-live={state.isRunning ? "off" : "polite"}>
          {state.isRunning ? (
            <>
              Reading transcripts: {number(state.done)} of {number(state.total)} changed sessions
            </>
          ) : state.indexed === 0 ? (
            state.indexedAt > 0 ? (
              <>
                There is nothing to import: no agent has kept a session here. Checked{" "}
                <Time at={state.indexedAt} />
              </>
            ) : (
              "None is indexed yet."
            )
          ) : (
            <>
              {count(state.indexed, "session")} indexed
              {state.indexedAt > 0 && (
                <>
                  ; checked <Time at={state.indexedAt} />
                </>
              )}
            </>
          )}
        </p>
        <Button disabled={state.isRunning} onClick={() => void start()}>
          {state.isRunning ? "Importing" : "Import now"}
        </Button>
      </div>
      {state.isRunning && state.total > 0 && (
        <progress aria-label="Import of past sessions" value={state.done} max={state.total} />
      )}
      <p class="muted break">
        Continuo reads the transcripts that agents keep on this machine. They stay where they are, and nothing
        is sent anywhere.
      </p>
    </section>
  );
}

/** What to do once an agent is connected. */
function TryIt() {
  return (
    <section class="stack gap-3" aria-labelledby="connect-try">
      <h2 id="connect-try">Try it</h2>
      <ol class="try stack gap-4">
        <li>
          <p>See what a new session would get, and why:</p>
          <Command text="continuo start" />
        </li>
        <li>
          <p>
            Add a rule under <a href="/rules">Rules</a>, or in a terminal in your project. New sessions are
            given it:
          </p>
          <Command text='continuo rules add "Run the tests before you say done."' />
        </li>
        <li>
          <p>
            Tell the agent how you want to work, for example “use pnpm here”. A learning is then suggested
            under <a href="/inbox">Suggestions</a> when the session goes idle.
          </p>
        </li>
      </ol>
    </section>
  );
}

/** When to use a rule, a note, a suggestion, a learning or a set. */
function Kinds() {
  return (
    <section class="stack gap-3" aria-labelledby="connect-kinds">
      <h2 id="connect-kinds">Which one when</h2>
      <table class="table kinds">
        <thead>
          <tr>
            {HEADINGS.map((one) => (one === "" ? <td key={one} /> : <th key={one}>{sentence(one)}</th>))}
          </tr>
        </thead>
        <tbody>
          {KINDS.map(({ name, use, by, cost }) => (
            <tr key={name}>
              <th scope="row">{sentence(name)}</th>
              {[use, by, cost].map((text, at) => (
                <td key={text} data-heading={HEADINGS[at + 1]}>
                  <InlineCode text={text} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
