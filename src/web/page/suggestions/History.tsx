import type { Suggestion, Tried } from "../../api/suggestions.ts";
import { sentence } from "../core/format.ts";
import { useGet } from "../core/resource.ts";
import { Button } from "../parts/Button.tsx";

/** What the check would have reported in past sessions; computed when it is shown. */
export function History({ one }: { one: Suggestion }) {
  const path = one.tried === undefined ? `/inbox/${encodeURIComponent(one.id)}/tried` : undefined;
  const { data = one.tried && { tried: one.tried }, failure, reload } = useGet<Tried>(path);
  return (
    <div class="muted break" aria-live="polite">
      {failure !== undefined ? (
        <p>
          It could not be tried on your past sessions: {sentence(failure.message)}{" "}
          <Button kind="quiet" onClick={reload}>
            Try again
          </Button>
        </p>
      ) : data === undefined ? (
        <p>Trying it on your past sessions…</p>
      ) : (
        <Result lines={data.tried} />
      )}
    </div>
  );
}

function Result({ lines: [said, ...places] }: { lines: readonly string[] }) {
  if (said === undefined) return <p>It could not be tried on your past sessions.</p>;
  return (
    <>
      <p>{said}</p>
      {places.length > 0 && (
        <ul class="pad-top-1" aria-label="Where it would have matched">
          {places.map((place, at) => (
            <li key={at}>
              <code>{place}</code>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
