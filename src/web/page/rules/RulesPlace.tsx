import { Page } from "../parts/Page.tsx";
import { Empty } from "../parts/States.tsx";

export default function RulesPlace() {
  return (
    <Page title="Rules">
      <Empty title="Nothing here yet" />
    </Page>
  );
}
