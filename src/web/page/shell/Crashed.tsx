import { Button } from "../parts/Button.tsx";

/** A defect of ours in a view. Nothing that is stored is affected. */
export function Crashed({ error }: { error: Error }) {
  return (
    <main class="content content-reading" id="content">
      <div class="state state-failed" role="alert">
        <p class="state-title">This view failed</p>
        <p class="state-text">{error.message}. Nothing that is stored was changed.</p>
        <Button kind="primary" onClick={() => location.reload()}>
          Load the page again
        </Button>
      </div>
    </main>
  );
}
