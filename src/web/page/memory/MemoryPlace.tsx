import { Page } from "../parts/Page.tsx";
import { Empty } from "../parts/States.tsx";

export default function MemoryPlace() {
  return (
    <Page title="Memory">
      <Empty title="Nothing here yet" />
    </Page>
  );
}
