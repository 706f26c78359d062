import { Command } from "../parts/Copy.tsx";

/** What to do once an agent is connected. */
export function TryIt() {
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
