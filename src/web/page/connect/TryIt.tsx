import { Command } from "../parts/Copy.tsx";

/** What to do once an agent is connected. */
export function TryIt() {
  return (
    <section class="connect-part" aria-labelledby="connect-try">
      <h2 id="connect-try">Try it</h2>
      <ol class="try">
        <li>
          <p>See what a new session would get, and why:</p>
          <Command text="continuo start" />
        </li>
        <li>
          <p>Add a rule, then start a session in that project. The agent follows it:</p>
          <Command text='mkdir -p .continuo/rules && echo "Run the tests before you say done." > .continuo/rules/tests.md' />
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
