// A terminal's screen as `tmux capture-pane -e` prints it, read into runs of equal style.

export interface Style {
  readonly colour?: string;
  readonly background?: string;
  readonly isBold?: boolean;
  readonly isDim?: boolean;
  readonly isItalic?: boolean;
  readonly isReversed?: boolean;
}

export interface Run {
  readonly text: string;
  /** In columns from the left. */
  readonly at: number;
  readonly width: number;
  readonly style: Style;
}

const ESCAPE = "\u001b";
const SEQUENCE = new RegExp(
  `${ESCAPE}\\[([0-9;:]*)m|${ESCAPE}\\][^${ESCAPE}\u0007]*(?:\u0007|${ESCAPE}\\\\)`,
  "g",
);

/** tmux repeats no style at a line's beginning, so it is carried over. */
export function readScreen(screen: string): Run[][] {
  let style: Style = {};
  return screen.split("\n").map((line) => {
    const runs: Run[] = [];
    let [at, from] = [0, 0];
    const add = (text: string) => {
      if (text === "") return;
      const width = columnsOf(text);
      runs.push({ text, at, width, style });
      at += width;
    };
    for (const found of line.matchAll(SEQUENCE)) {
      add(line.slice(from, found.index));
      from = found.index + found[0].length;
      if (found[1] !== undefined) style = changed(style, found[1]);
    }
    add(line.slice(from));
    return runs;
  });
}

/** Enough for what agents print: East Asian wide characters and emoji take two columns. */
export function columnsOf(text: string): number {
  return [...text].reduce((sum, character) => sum + (isWide(character) ? 2 : 1), 0);
}

function isWide(character: string): boolean {
  return /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]|\p{Emoji_Presentation}/u.test(
    character,
  );
}

function changed(style: Style, parameters: string): Style {
  const codes = parameters.split(/[;:]/).map(Number);
  let next = style;
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] ?? 0;
    if (code === 38 || code === 48) {
      const isTrue = codes[i + 1] === 2;
      const [r = 0, g = 0, b = 0] = codes.slice(i + 2, i + 5);
      const colour = isTrue ? `rgb(${r},${g},${b})` : indexed(codes[i + 2] ?? 0);
      next = { ...next, [code === 38 ? "colour" : "background"]: colour };
      i += isTrue ? 4 : 2;
    } else next = simple(next, code);
  }
  return next;
}

function simple(style: Style, code: number): Style {
  if (code === 0) return {};
  if (code === 1) return { ...style, isBold: true };
  if (code === 2) return { ...style, isDim: true };
  if (code === 3) return { ...style, isItalic: true };
  if (code === 7) return { ...style, isReversed: true };
  const { isBold: _bold, isDim: _dim, ...plainWeight } = style;
  if (code === 22) return plainWeight;
  const { isItalic: _italic, ...upright } = style;
  if (code === 23) return upright;
  const { isReversed: _reversed, ...straight } = style;
  if (code === 27) return straight;
  const { colour: _colour, ...uncoloured } = style;
  if (code === 39) return uncoloured;
  const { background: _background, ...bare } = style;
  if (code === 49) return bare;
  if (code >= 30 && code <= 37) return { ...style, colour: indexed(code - 30) };
  if (code >= 90 && code <= 97) return { ...style, colour: indexed(code - 82) };
  if (code >= 40 && code <= 47) return { ...style, background: indexed(code - 40) };
  if (code >= 100 && code <= 107) return { ...style, background: indexed(code - 92) };
  return style; // underlines and the like change nothing that matters here
}

const BASIC = [
  "#3b4048",
  "#e06c75",
  "#98c379",
  "#e5c07b",
  "#61afef",
  "#c678dd",
  "#56b6c2",
  "#d7dae0",
  "#7f848e",
  "#ff7b86",
  "#b5e890",
  "#f5d08a",
  "#7cc4ff",
  "#d98df0",
  "#6fd0dd",
  "#ffffff",
];

/** The 256 colours of xterm. */
function indexed(n: number): string {
  if (n < 16) return BASIC[n] ?? "#d7dae0";
  if (n >= 232) return `rgb(${[0, 0, 0].map(() => 8 + (n - 232) * 10).join()})`;
  const level = (value: number) => (value === 0 ? 0 : 55 + value * 40);
  const at = n - 16;
  return `rgb(${[Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6].map(level).join()})`;
}
