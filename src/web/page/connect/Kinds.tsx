import { sentence } from "../core/format.ts";
import { InlineCode } from "../parts/InlineCode.tsx";
import { HEADINGS, KINDS } from "./kinds.ts";

/** Rule, note, suggestion, learning, set: which one when. */
export function Kinds() {
  return (
    <section class="stack gap-3" aria-labelledby="connect-kinds">
      <h2 id="connect-kinds">Which one when</h2>
      <table class="table kinds">
        <thead>
          <tr>
            {HEADINGS.map((one) => (one === "" ? <td key={one} /> : <th key={one}>{sentence(one)}</th>))}
          </tr>
        </thead>
        <tbody>
          {KINDS.map(({ name, use, by, cost }) => (
            <tr key={name}>
              <th scope="row">{sentence(name)}</th>
              {[use, by, cost].map((text, at) => (
                <td key={text} data-heading={HEADINGS[at + 1]}>
                  <InlineCode text={text} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
