declare module "graphology-layout-forceatlas2/iterate.js" {
  import type { ForceAtlas2Settings } from "graphology-layout-forceatlas2";

  /** One iteration, in place: ten numbers per node, three per edge. */
  export default function iterate(
    settings: ForceAtlas2Settings,
    nodes: Float32Array,
    edges: Float32Array,
  ): void;
}
