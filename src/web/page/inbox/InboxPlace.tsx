import { Page } from "../parts/Page.tsx";
import { Empty } from "../parts/States.tsx";

export default function InboxPlace() {
  return (
    <Page title="Inbox">
      <Empty title="Nothing here yet" />
    </Page>
  );
}
