import { Page } from "../parts/Page.tsx";

export function NotFound() {
  return (
    <Page title="There is nothing at this address" width="reading">
      <p>
        It may have been moved or deleted. <a href="/sessions">All sessions</a> and{" "}
        <a href="/memory">all notes</a> can be searched.
      </p>
    </Page>
  );
}
