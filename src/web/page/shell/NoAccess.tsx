import { Command } from "../parts/Copy.tsx";

/** The server does not know this page's cookie any more. */
export function NoAccess() {
  return (
    <main class="lone" id="content">
      <div class="state">
        <h1 class="state-title">This page has no access any more</h1>
        <p class="state-text">
          Its server ended, or another one runs now. Run this command and open the address that it prints:
        </p>
        <Command text="continuo web" />
      </div>
    </main>
  );
}
