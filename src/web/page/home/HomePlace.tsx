import { Page } from "../parts/Page.tsx";
import { Empty } from "../parts/States.tsx";

export default function HomePlace() {
  return (
    <Page title="Home">
      <Empty title="Nothing here yet" />
    </Page>
  );
}
