import { Page } from "../parts/Page.tsx";
import { Empty } from "../parts/States.tsx";

export default function ChatPlace() {
  return (
    <Page title="Chat">
      <Empty title="Nothing here yet" />
    </Page>
  );
}
