import { fields, flag, oneOf, optional, text, whole } from "../../../../src/moments/actions/fields.ts";
import { action } from "../../../../src/moments/ports/action.ts";
import type { SourceModule } from "../../../../src/moments/ports/source.ts";

const plants = action({
  name: "water plants",
  about: "water a plant",
  effect: "writes",
  changes: "notes",
  input: fields({
    plant: text("which one", { typed: "rest" }),
    litres: optional(whole("how much", 1, 9, { fallback: "1" })),
    kind: optional(oneOf("what with", ["rain", "tap"])),
    gently: optional(flag("drop by drop")),
  }),
  run: ({ plant, litres = 1, kind = "tap", gently = false }) => ({ plant, litres, kind, gently }),
  view: ({ plant, litres, kind }, { paint }) => [
    { columns: ["plant", "litres", "kind"], rows: [[paint("bold", plant), String(litres), kind]] },
    { next: [["continuo water plants fern", "Water the next one"]] },
  ],
  tool: { name: "water_plants", title: "Water plants", origin: null },
});

/** What a source needs for an action that every front end has: this file. It exists only in the test that adds it. */
export const water: SourceModule = {
  source: { name: "water", answersChildren: false, settings: {}, answers: {} },
  actions: async () => [{ name: "water", about: "water plants", section: "more", actions: [plants] }],
};
