import { Page } from "../parts/Page.tsx";
import { Empty } from "../parts/States.tsx";

export default function NotePlace() {
  return (
    <Page title="Note">
      <Empty title="Nothing here yet" />
    </Page>
  );
}
