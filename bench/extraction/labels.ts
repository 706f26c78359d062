/**
 * How a reader judged each proposal, by the rule in docs/design/extraction-judging.md. The key is the beginning of the SHA-256 of
 * its normalised content, because the texts belong to others.
 */
export type Label = "useful" | "not";

export const LABELS: Readonly<Record<string, Label>> = {
  // coding sessions
  "555404640e1e": "useful",
  fc4a5d690e17: "useful",
  bb41f3c7f749: "useful",
  // BEAM 100K
  "373b35f22d77": "useful",
  d420d3da6d90: "useful",
  a5d83eec72bc: "useful",
  ab0ed5a69a6d: "useful",
  "3a8dd281da35": "useful",
  b76e79c88447: "useful",
  "48de012eeb19": "useful",
  "3608e5e1de4c": "useful",
  fb699199888a: "useful",
  fa4ebd87f245: "useful",
  "85fbde08ea56": "useful",
  "89dff194c767": "useful",
  "302886c4b43c": "useful",
  "497817974787": "useful",
  "3cf847800e01": "useful",
  db9903cb9a46: "useful",
  "2447be48b089": "useful",
  f4223a90b405: "useful",
  c6644fee2f42: "useful",
  bbe87a2bce2a: "useful",
  a46153cfe91c: "useful",
  a5368fcf3c34: "useful",
  e9ca5150c72c: "useful",
  bdadd9e0be3a: "useful",
  "7c28bfed6c6a": "useful",
  "8e2abc425e34": "useful",
  "2aea46a049e4": "useful",
  "243f444f6bc4": "useful",
  eed5d8ae6c64: "useful",
  e62fa0bfad73: "useful",
};
