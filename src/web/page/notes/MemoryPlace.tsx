import { useQuery } from "../core/address.ts";
import { NewNote } from "./NewNote.tsx";
import { NotesPage } from "./NotesPage.tsx";

/** `/memory`: the notes, or with `?view=new` a new one. */
export default function MemoryPlace() {
  const { query } = useQuery();
  return query["view"] === "new" ? <NewNote /> : <NotesPage />;
}
