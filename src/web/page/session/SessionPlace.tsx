import { Page } from "../parts/Page.tsx";
import { Empty } from "../parts/States.tsx";

export default function SessionPlace() {
  return (
    <Page title="Session">
      <Empty title="Nothing here yet" />
    </Page>
  );
}
