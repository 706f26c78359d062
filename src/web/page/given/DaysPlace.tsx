import { Page } from "../parts/Page.tsx";
import { Empty } from "../parts/States.tsx";

export default function DaysPlace() {
  return (
    <Page title="Given">
      <Empty title="Nothing here yet" />
    </Page>
  );
}
