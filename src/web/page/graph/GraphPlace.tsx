import { Page } from "../parts/Page.tsx";
import { Empty } from "../parts/States.tsx";

export default function GraphPlace() {
  return (
    <Page title="Graph">
      <Empty title="Nothing here yet" />
    </Page>
  );
}
