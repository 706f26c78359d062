import { Plus } from "lucide";
import { useState } from "preact/hooks";
import type { CardView } from "../../api/cards.ts";
import { Button } from "../parts/Button.tsx";
import { addItem } from "./change.ts";

const EXAMPLES: Readonly<Record<string, string>> = {
  files: "path of a file",
  ports: "3000",
  endpoints: "http://localhost:3000/api",
};

/** A form to add an item to a set. */
export function AddItem({ card }: { card: CardView }) {
  const [isOpen, setOpen] = useState(false);
  const [set, setSet] = useState("files");
  const [item, setItem] = useState("");
  const sets = ["files", "ports", "endpoints", ...card.others.map(({ name }) => name)];
  if (!isOpen)
    return (
      <Button kind="quiet" icon={Plus} onClick={() => setOpen(true)}>
        Add
      </Button>
    );
  const add = async () => {
    const value = item.trim();
    const path = set === "files" && card.root !== undefined && !/^[/~]|^[A-Za-z]:/.test(value);
    if (value !== "" && (await addItem(card.session, card, set, path ? `${card.root}/${value}` : value)))
      setItem("");
  };
  return (
    <form
      class="card-add flex wrap gap-tight pad-1"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        setOpen(false);
      }}
    >
      <select aria-label="Set" value={set} onChange={({ currentTarget }) => setSet(currentTarget.value)}>
        {sets.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      <input
        aria-label={`Item for ${set}`}
        placeholder={EXAMPLES[set] ?? "one line of text"}
        value={item}
        autofocus
        onInput={({ currentTarget }) => setItem(currentTarget.value)}
      />
      <Button type="submit" disabled={item.trim() === ""}>
        Add
      </Button>
      <Button kind="quiet" onClick={() => setOpen(false)}>
        Close
      </Button>
    </form>
  );
}
