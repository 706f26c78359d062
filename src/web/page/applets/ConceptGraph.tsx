import { Graph } from "../graph/Graph.tsx";
import type { AppletProps } from "./applet.ts";

/** The applet `concept-graph`: the graph of the notes beside a session. */
export default function ConceptGraph({ parameters, set }: AppletProps) {
  return (
    <div class="applet-graph flex grow">
      <Graph concept={parameters["concept"]} onConcept={(concept = "") => set({ concept }, { push: true })} />
    </div>
  );
}
