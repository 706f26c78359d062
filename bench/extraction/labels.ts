export type Label = "useful" | "not";
export const LABELS: Readonly<Record<string, Label>> = {};
