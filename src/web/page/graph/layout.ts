import iterate from "graphology-layout-forceatlas2/iterate.js";
import { arranged } from "./arrange.ts";

/**
 * Computes the positions of concepts in a worker: an iteration over 5,000 concepts takes longer than a frame. This file
 * is both sides: the page imports it, and the worker runs it, so that no other address is needed.
 */

interface LayoutJob {
  readonly communities: readonly number[];
  readonly notes: readonly number[];
  /** Three numbers per edge. */
  readonly edges: readonly number[];
  /** Whether to send intermediate positions, to show how the graph settles. */
  readonly isShown: boolean;
}

interface LayoutStep {
  /** Two numbers per concept. */
  readonly places: Float32Array;
  readonly isDone: boolean;
  readonly ms: number;
}

const SHOWN_MS = 250;
/** The time for all iterations: enough for thousands of concepts, and not too long to wait. */
const MOST_MS = 3500;
const MOST_ITERATIONS = 400;
const LEAST_ITERATIONS = 20;

/** Returns a function that stops it. */
export function layout(job: LayoutJob, show: (step: LayoutStep) => void): () => void {
  const worker = new Worker(import.meta.url, { type: "module" });
  worker.onmessage = ({ data }: MessageEvent<LayoutStep>) => {
    show(data);
    if (data.isDone) worker.terminate();
  };
  // Without a worker, the communities are at least arranged separately.
  worker.onerror = () => show({ places: arranged(job), isDone: true, ms: 0 });
  worker.postMessage(job);
  return () => worker.terminate();
}

const NODE = 10;

/** The library's own form: ten numbers per node, three per edge. */
function matricesOf({ notes, edges }: LayoutJob, places: Float32Array): [Float32Array, Float32Array] {
  const nodes = new Float32Array(notes.length * NODE);
  for (let at = 0; at < notes.length; at++) {
    nodes[at * NODE] = places[at * 2] ?? 0;
    nodes[at * NODE + 1] = places[at * 2 + 1] ?? 0;
    nodes[at * NODE + 6] = 1; // mass: 1 and the degree
    nodes[at * NODE + 7] = 1; // convergence
    nodes[at * NODE + 8] = 1; // size
  }
  const links = new Float32Array(edges.length);
  for (let at = 0; at < edges.length; at += 3) {
    const [a = 0, b = 0, weight = 1] = edges.slice(at, at + 3);
    links[at] = a * NODE;
    links[at + 1] = b * NODE;
    links[at + 2] = weight;
    nodes[a * NODE + 6] = (nodes[a * NODE + 6] ?? 0) + 1;
    nodes[b * NODE + 6] = (nodes[b * NODE + 6] ?? 0) + 1;
  }
  return [nodes, links];
}

const FEW = 200;

function settingsFor(count: number) {
  return {
    linLogMode: false,
    outboundAttractionDistribution: false,
    adjustSizes: false,
    edgeWeightInfluence: 0.5,
    scalingRatio: 10,
    // Keeps unconnected groups close.
    strongGravityMode: true,
    // With few concepts, groups are pulled together; otherwise most of the picture would be empty.
    gravity: count < FEW ? 0.5 : 0.05,
    slowDown: 1 + Math.log(Math.max(2, count)),
    barnesHutOptimize: count > 500,
    barnesHutTheta: 1,
  };
}

function placesIn(nodes: Float32Array): Float32Array {
  const places = new Float32Array((nodes.length / NODE) * 2);
  for (let at = 0; at * NODE < nodes.length; at++) {
    places[at * 2] = nodes[at * NODE] ?? 0;
    places[at * 2 + 1] = nodes[at * NODE + 1] ?? 0;
  }
  return places;
}

function work(job: LayoutJob): void {
  const start = performance.now();
  const send = (places: Float32Array, isDone: boolean): void => {
    postMessage({ places, isDone, ms: performance.now() - start } satisfies LayoutStep);
  };
  const first = arranged(job);
  if (job.isShown) send(first, false);
  const [nodes, edges] = matricesOf(job, first);
  const settings = settingsFor(job.notes.length);
  let shown = start;
  for (let turn = 0; turn < MOST_ITERATIONS; turn++) {
    iterate(settings, nodes, edges);
    const now = performance.now();
    if (now - start > MOST_MS && turn >= LEAST_ITERATIONS) break;
    if (!job.isShown || now - shown < SHOWN_MS) continue;
    shown = now;
    send(placesIn(nodes), false);
  }
  send(placesIn(nodes), true);
}

if (typeof document === "undefined")
  addEventListener("message", ({ data }: MessageEvent<LayoutJob>) => work(data));
