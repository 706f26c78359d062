import type { Span } from "./spans.ts";
import { isPlaceholder } from "./values.ts";

const KIND = /^\s*"?kind"?:\s{0,4}"?Secret"?,?\s*$/;
const DATA = /^(\s*)(?:- )?"?(?:data|stringData)"?:\s*\{?\s*$/;
const ENTRY = /^\s*"?[\w.-]{1,200}"?:\s{1,4}["']?([^\s"',]{4,})/;
const IN_ONE_LINE = /"(?:data|stringData)":\s?\{([^{}]{1,20000})\}/g;

/** Values of Kubernetes secrets, whatever their names: everything under `data` in a document of kind Secret. */
export function findInManifests(text: string, spans: Span[]): void {
  if (!/kind"?:\s{0,4}"?Secret\b/.test(text)) return;
  for (const { index, 1: data = "", 0: whole } of text.matchAll(IN_ONE_LINE)) {
    const begin = index + whole.length - data.length - 1;
    for (const entry of data.matchAll(/":\s?"([^"]{4,})/g))
      take(entry[1] as string, begin + entry.index + entry[0].length, spans);
  }
  let values: Span[] = [];
  let isSecret = false;
  /** The indentation of `data:` while inside it, else -1. */
  let below = -1;
  let from = 0;
  for (const line of text.split("\n")) {
    if (line.startsWith("---")) {
      if (isSecret) spans.push(...values);
      [values, isSecret, below] = [[], false, -1];
    }
    const indent = line.search(/\S/);
    if (below >= 0 && indent >= 0 && indent <= below) below = -1;
    if (KIND.test(line)) isSecret = true;
    const data = DATA.exec(line);
    if (data !== null) below = (data[1] as string).length;
    else if (below >= 0) {
      const entry = ENTRY.exec(line);
      if (entry !== null) take(entry[1] as string, from + entry[0].length, values);
    }
    from += line.length + 1;
  }
  if (isSecret) spans.push(...values);
}

function take(value: string, to: number, spans: Span[]): void {
  if (!isPlaceholder(value)) spans.push({ from: to - value.length, to, kind: "value" });
}
