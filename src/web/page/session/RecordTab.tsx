import type { SessionSummary } from "../../api/session-page.ts";
import type { SessionKey } from "../conversation/Clipped.tsx";
import { turnAddress } from "../core/address.ts";
import { isAbout, sessionPath } from "../core/api.ts";
import { useGet } from "../core/resource.ts";
import { Badge } from "../parts/Badge.tsx";
import { InlineCode } from "../parts/InlineCode.tsx";
import { Markdown } from "../parts/markdown/Markdown.tsx";
import { Empty, Loaded } from "../parts/States.tsx";
import { Time } from "../parts/Time.tsx";

/** Parts whose lines are names of files or commands. */
const CODE = new Set(["Files", "Commands"]);

/** A session's summary: every line links to the turn that it comes from. */
export function RecordTab({ host, id }: SessionKey) {
  const record = useGet<SessionSummary>(sessionPath(host, id, "/record"), {}, isAbout({ host, id }));
  return (
    <Loaded resource={record} lines={10}>
      {(data) =>
        data.parts.length === 0 && data.description === "" ? (
          <Empty title="No summary yet">
            A summary is made from what was said. This session has no prompt and no answer so far.
          </Empty>
        ) : (
          <div class="record stack">
            <p class="reading-type break">
              <InlineCode text={data.description} />
            </p>
            {data.model !== null && <Markdown text={data.summary} />}
            {data.parts.map(({ title, lines }) => (
              <section key={title}>
                <h2>{title}</h2>
                <ul>
                  {lines.map(({ text, turn }, at) => (
                    <li key={at}>
                      <a href={turnAddress(host, id, turn)}>
                        {CODE.has(title) ? <code>{text}</code> : <InlineCode text={text} />}
                      </a>
                    </li>
                  ))}
                </ul>
              </section>
            ))}
            {data.isPart && (
              <p class="muted small">
                This session is long: the parts above are quoted from its beginning and its end.
              </p>
            )}
            <footer class="row wrap gap-2 muted small">
              {data.model === null
                ? "Extracted from the session, without a model"
                : `Written by ${data.model}`}
              {data.updatedAt !== "" && (
                <>
                  {", "}
                  <Time at={data.updatedAt} />
                </>
              )}
              {data.tags.map((tag) => (
                <Badge key={tag}>{tag}</Badge>
              ))}
            </footer>
          </div>
        )
      }
    </Loaded>
  );
}
