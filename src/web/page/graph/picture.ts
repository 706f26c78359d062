import { UndirectedGraph } from "graphology";
import Sigma from "sigma";
import {
  EdgeLineProgram,
  type NodeHoverDrawingFunction,
  type NodeLabelDrawingFunction,
} from "sigma/rendering";
import type { GraphAnswer } from "../../api/notes.ts";
import { COLOURS, groupsOf } from "./groups.ts";

/** What is emphasised; everything else is dimmed. */
interface Emphasis {
  readonly chosen?: number;
  /** Show only these concepts. */
  readonly near?: ReadonlySet<number>;
  /** Colour only this community. */
  readonly community?: number;
}

/** The graph on a canvas. */
export interface Picture {
  place(places: Float32Array): void;
  emphasise(emphasis: Emphasis): void;
  /** Moves the view to a concept. */
  focus(concept: number): void;
  zoom(by: "in" | "out" | "all"): void;
  /** Call when the theme changes. */
  recolour(): void;
  close(): void;
}

/** Whether the browser supports WebGL. */
export function hasWebGl(): boolean {
  try {
    return document.createElement("canvas").getContext("webgl2") !== null;
  } catch {
    return false;
  }
}

interface Look {
  readonly text: string;
  readonly line: string;
  readonly faint: string;
  readonly surface: string;
  /** Colours of communities, by index. */
  readonly colours: readonly string[];
}

export function draw(
  container: HTMLElement,
  data: GraphAnswer,
  on: { choose(concept: number | undefined): void },
): Picture {
  const isMoving = !matchMedia("(prefers-reduced-motion: reduce)").matches;
  const graph = new UndirectedGraph();
  const colourOf = new Map(groupsOf(data).map(({ community, colour }) => [community, colour]));
  const isLarge = data.names.length > LARGE;
  const isNarrow = container.clientWidth < NARROW;
  const least = data.names.length < 200 ? (isNarrow ? 4 : 6) : isLarge ? 2 : 4;
  const most = data.notes.reduce((a, b) => Math.max(a, b), 1);
  for (const [at, label] of data.names.entries()) {
    const size =
      least + (isLarge || isNarrow ? 6 : 9) * Math.sqrt(((data.notes[at] ?? 1) - 1) / Math.max(1, most - 1));
    graph.addNode(at, {
      label: shortLabel(label),
      size,
      x: 0,
      y: 0,
      colour: colourOf.get(data.communities[at] ?? 0) ?? 0,
    });
  }
  for (let at = 0; at < data.edges.length; at += 3) {
    const [a = 0, b = 0, weight = 1] = data.edges.slice(at, at + 3);
    graph.addEdge(a, b, { size: Math.min(4, (isLarge ? 0.5 : 1.5) + Math.log2(weight) * 0.6) });
  }

  let look = lookOf(container);
  let emphasis: Emphasis = {};
  let hovered: number | undefined;
  let lit: ReadonlySet<number> | undefined;

  const sigma = new Sigma(graph, container, {
    labelRenderedSizeThreshold: least + 1.5 * Number(isNarrow || data.names.length >= 80),
    labelDensity: 0.7,
    labelGridCellSize: data.names.length < 80 ? 60 : 100,
    labelFont: "system-ui, sans-serif",
    labelSize: 12,
    defaultDrawNodeHover: drawHover(() => look),
    defaultDrawNodeLabel: drawLabel(() => look),
    // Lines of one pixel are drawn many times faster than wider ones.
    ...(isLarge && { defaultEdgeType: "thin", edgeProgramClasses: { thin: EdgeLineProgram } }),
    hideEdgesOnMove: data.edges.length > 3 * 8000,
    stagePadding: isLarge ? 30 : 48,
    renderEdgeLabels: false,
    zIndex: true,
    minCameraRatio: 0.02,
    maxCameraRatio: 4,
    allowInvalidContainer: true,
    nodeReducer(node, attributes) {
      const at = Number(node);
      const isHidden = emphasis.near !== undefined && !emphasis.near.has(at);
      const isOff =
        (emphasis.community !== undefined && data.communities[at] !== emphasis.community) ||
        (lit !== undefined && !lit.has(at));
      const isStrong = at === emphasis.chosen || at === hovered || (lit?.has(at) === true && lit.size <= 40);
      return {
        ...attributes,
        hidden: isHidden,
        color: isOff ? look.faint : (look.colours[attributes["colour"] as number] ?? look.faint),
        label: isOff ? "" : (attributes["label"] as string),
        forceLabel: isStrong && !isOff,
        highlighted: at === emphasis.chosen,
        zIndex: isOff ? 0 : isStrong ? 2 : 1,
      };
    },
    edgeReducer(edge, attributes) {
      const [a, b] = graph.extremities(edge).map(Number);
      const isLit = lit === undefined || (a !== undefined && b !== undefined && touches(a, b));
      return { ...attributes, color: isLit && lit !== undefined ? look.text : look.line, hidden: !isLit };
    },
  });

  function touches(a: number, b: number): boolean {
    const center = hovered ?? emphasis.chosen;
    return a === center || b === center;
  }

  function light(): void {
    const center = hovered ?? emphasis.chosen;
    lit = center === undefined ? undefined : new Set([center, ...graph.neighbors(center).map(Number)]);
    sigma.refresh({ skipIndexation: true });
  }

  sigma.on("enterNode", ({ node }) => {
    container.style.cursor = "pointer";
    // In a large graph only the name is shown: dimming thousands of concepts takes longer than a frame.
    if (isLarge) return;
    hovered = Number(node);
    light();
  });
  sigma.on("leaveNode", () => {
    container.style.cursor = "";
    if (isLarge) return;
    hovered = undefined;
    light();
  });
  sigma.on("clickNode", ({ node }) => on.choose(Number(node)));
  sigma.on("clickStage", () => on.choose(undefined));

  // The library observes only the window, but side panels change the size too.
  const resized = new ResizeObserver(() => {
    sigma.resize();
    sigma.scheduleRender();
  });
  resized.observe(container);

  const duration = isMoving ? 250 : 0;
  const camera = sigma.getCamera();
  return {
    place(places) {
      graph.updateEachNodeAttributes(
        (node, attributes) => ({
          ...attributes,
          x: places[Number(node) * 2] ?? 0,
          y: places[Number(node) * 2 + 1] ?? 0,
        }),
        { attributes: ["x", "y"] },
      );
    },
    emphasise(next) {
      emphasis = next;
      light();
    },
    focus(concept) {
      const shown = sigma.getNodeDisplayData(concept);
      if (shown === undefined) return;
      void camera.animate(
        { x: shown.x, y: shown.y, ratio: Math.min(camera.ratio, isLarge ? 0.25 : 0.6) },
        { duration },
      );
    },
    zoom(by) {
      if (by === "all") void camera.animatedReset({ duration });
      else if (by === "in") void camera.animatedZoom({ duration });
      else void camera.animatedUnzoom({ duration });
    },
    recolour() {
      look = lookOf(container);
      sigma.refresh({ skipIndexation: true });
    },
    close() {
      resized.disconnect();
      sigma.kill();
    },
  };
}

/** With more concepts, everything that is redrawn at each movement is left out. */
const LARGE = 2000;

/** In pixels. In a narrower picture only names of concepts with several notes fit. */
const NARROW = 500;

/** In characters: a name that others chose may have thousands. */
const MOST_LABEL = 40;

function shortLabel(name: string): string {
  return name.length > MOST_LABEL ? `${name.slice(0, MOST_LABEL - 1)}…` : name;
}

function lookOf(container: HTMLElement): Look {
  const style = getComputedStyle(container);
  const value = (name: string) => style.getPropertyValue(name).trim();
  return {
    text: value("--text"),
    line: value("--graph-line"),
    faint: value("--graph-faint"),
    surface: value("--surface"),
    colours: Array.from({ length: COLOURS + 1 }, (_, at) => value(`--graph-${at}`)),
  };
}

/** With an outline in the surface's colour, so that a name is readable on top of other concepts. */
function drawLabel(look: () => Look): NodeLabelDrawingFunction {
  return (context, { x, y, size, label }, settings) => {
    if (!label) return;
    const { surface, text } = look();
    context.font = `${settings.labelSize}px ${settings.labelFont}`;
    context.lineWidth = 3;
    context.lineJoin = "round";
    context.strokeStyle = surface;
    context.fillStyle = text;
    const width = context.measureText(label).width;
    // At the right edge a name is drawn before its concept, so that it is not cut.
    const isCut = x + size + 3 + width > context.canvas.clientWidth;
    const [left, base] = [isCut ? x - size - 3 - width : x + size + 3, y + settings.labelSize / 3];
    context.strokeText(label, left, base);
    context.fillText(label, left, base);
  };
}

/** The library draws a white box in every theme; this one uses the surface's colour. */
function drawHover(look: () => Look): NodeHoverDrawingFunction {
  return (context, data, settings) => {
    const { x, y, size, label, color } = data;
    const { surface, text } = look();
    context.beginPath();
    context.arc(x, y, size + 3, 0, Math.PI * 2);
    context.strokeStyle = color;
    context.lineWidth = 2;
    context.stroke();
    if (!label) return;
    context.font = `600 ${settings.labelSize}px ${settings.labelFont}`;
    const width = context.measureText(label).width;
    context.fillStyle = surface;
    context.globalAlpha = 0.9;
    context.fillRect(x + size + 4, y - 10, width + 8, 20);
    context.globalAlpha = 1;
    context.fillStyle = text;
    context.fillText(label, x + size + 8, y + settings.labelSize / 3);
  };
}
