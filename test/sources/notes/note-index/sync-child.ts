import { syncIndex } from "../../../../src/sources/notes/note-index/sync.ts";
import { openFor } from "./content.ts";

/** One of several processes that sync the same index in slices, so that they interfere with each other. */
const [, , root = "", file = ""] = process.argv;
const index = openFor(root, file);
while (!(await syncIndex(index, { sliceMs: 1 })).isComplete);
index.close();
console.log("complete");
