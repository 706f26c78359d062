import { Page } from "../parts/Page.tsx";
import { Empty } from "../parts/States.tsx";

export default function SessionsPlace() {
  return (
    <Page title="Sessions">
      <Empty title="Nothing here yet" />
    </Page>
  );
}
