// Draws a terminal's screen as SVG: text stays text, so that the picture is sharp and its changes can be read in a diff.
import { type Run, readScreen } from "./cells.ts";

const CELL = { width: 8.4, height: 18, size: 14 };
const MARGIN = { side: 16, top: 44, bottom: 14 };
const COLOURS = { background: "#1e2127", bar: "#2b2f37", text: "#d7dae0", title: "#9da5b4" };
const FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";

export function svgOf(screen: string, title: string): string {
  const rows = readScreen(screen.replace(/\s+$/, ""));
  const columns = Math.max(...rows.flatMap((row) => row.map((run) => run.at + run.width)), 1);
  const width = Math.ceil(columns * CELL.width + 2 * MARGIN.side);
  const height = Math.ceil(rows.length * CELL.height + MARGIN.top + MARGIN.bottom);
  const lights = ["#ff5f56", "#ffbd2e", "#27c93f"].map(
    (fill, at) => `<circle cx="${20 + at * 20}" cy="16" r="6" fill="${fill}"/>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="${FONT}" font-size="${CELL.size}">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" rx="10" fill="${COLOURS.background}"/>`,
    `<path d="M0 32V10Q0 0 10 0H${width - 10}Q${width} 0 ${width} 10V32Z" fill="${COLOURS.bar}"/>`,
    ...lights,
    `<text x="${width / 2}" y="21" fill="${COLOURS.title}" text-anchor="middle">${escaped(title)}</text>`,
    ...rows.flatMap((row, line) => row.flatMap((run) => drawn(run, line))),
    "</svg>\n",
  ].join("\n");
}

function drawn({ text, at, width, style }: Run, line: number): string[] {
  const [front, back] = style.isReversed
    ? [style.background ?? COLOURS.background, style.colour ?? COLOURS.text]
    : [style.colour ?? COLOURS.text, style.background];
  const x = MARGIN.side + at * CELL.width;
  const y = MARGIN.top + line * CELL.height;
  const box = `<rect x="${short(x)}" y="${short(y)}" width="${short(width * CELL.width)}" height="${CELL.height}" fill="${back}"/>`;
  const boxes = back === undefined ? [] : [box];
  const inner = text.trim();
  if (inner === "") return boxes;
  const indent = text.length - text.trimStart().length;
  const length = short((width - (text.length - inner.length)) * CELL.width);
  const looks = [
    `fill="${front}"`,
    ...(style.isBold ? ['font-weight="bold"'] : []),
    ...(style.isDim ? ['opacity="0.6"'] : []),
    ...(style.isItalic ? ['font-style="italic"'] : []),
  ].join(" ");
  // A reader's font may be wider or narrower than ours: the length keeps the columns where they were.
  const place = `x="${short(x + indent * CELL.width)}" y="${short(y + 14)}" textLength="${length}" lengthAdjust="spacingAndGlyphs"`;
  return [...boxes, `<text ${place} xml:space="preserve" ${looks}>${escaped(inner)}</text>`];
}

function short(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
