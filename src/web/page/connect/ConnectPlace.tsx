import { Page } from "../parts/Page.tsx";
import { Empty } from "../parts/States.tsx";

export default function ConnectPlace() {
  return (
    <Page title="Connect">
      <Empty title="Nothing here yet" />
    </Page>
  );
}
