import { FilePen, GitCompare } from "lucide";
import { useAppletAddress } from "../core/applet-address.ts";
import { count, elapsed } from "../core/format.ts";
import { Badge } from "../parts/Badge.tsx";
import { Code } from "../parts/code/Code.tsx";
import { Diff } from "../parts/diff/Diff.tsx";
import { Icon } from "../parts/Icon.tsx";
import { type CallBlock, summaryOf } from "./blocks.ts";
import { Clipped, type SessionKey } from "./Clipped.tsx";
import { Fold } from "./Fold.tsx";
import { Clock, Images, KnownLink } from "./Message.tsx";

/** More calls than these become one line. */
const MOST_LINES = 4;
/** A shorter change is shown at once. */
const SHORT_DIFF = 1200;

/** Consecutive tool calls: a line each, or one line for many that change nothing. */
export function Calls({ session, calls }: { session: SessionKey; calls: readonly CallBlock[] }) {
  return (
    <>
      {runsOf(calls).map((run) => (
        <Run key={run[0]?.key} session={session} calls={run} />
      ))}
    </>
  );
}

/** A change is never folded together with other calls. */
function runsOf(calls: readonly CallBlock[]): readonly (readonly CallBlock[])[] {
  const runs: CallBlock[][] = [];
  for (const call of calls) {
    const last = runs.at(-1);
    const isSame =
      last?.[0] !== undefined && (last[0].call.diff === undefined) === (call.call.diff === undefined);
    if (isSame) last?.push(call);
    else runs.push([call]);
  }
  return runs;
}

function Run({ session, calls }: { session: SessionKey; calls: readonly CallBlock[] }) {
  const lines = () => (
    <ul class="stack">
      {calls.map((call) => (
        <li key={call.key} class="row-with-actions relative">
          <Call session={session} block={call} />
          <CallActions session={session} block={call} />
        </li>
      ))}
    </ul>
  );
  if (calls.length <= MOST_LINES || calls[0]?.call.diff !== undefined) return lines();
  const failed = calls.filter(({ isFailed }) => isFailed).length;
  return (
    <Fold
      class="call-group"
      line={
        <>
          <span>{count(calls.length, "tool call")}</span> <span class="muted">{summaryOf(calls)}</span>
          {failed > 0 && <Badge tone="bad">{failed} failed</Badge>}
          <CallTime from={calls[0]?.turn.at} to={calls.at(-1)?.result?.at} />
        </>
      }
    >
      {lines}
    </Fold>
  );
}

function Call({ session, block }: { session: SessionKey; block: CallBlock }) {
  const { call, turn, result, isFailed, isRejected } = block;
  const { diff } = call;
  const isShort = diff !== undefined && diff.of === undefined && diff.text.length <= SHORT_DIFF;
  const line = (
    <>
      <span class="call-verb fixed">{call.verb}</span>
      {call.about !== "" && <code class="call-about clip muted">{call.about}</code>}
      {isFailed && <Badge tone="bad">failed</Badge>}
      {isRejected && <Badge>not allowed</Badge>}
      {result === undefined && turn.isLive && <Badge>running</Badge>}
      {result === undefined && !turn.isLive && !turn.place.startsWith("index.") && (
        <Badge title="Its result is not in the loaded part">no result</Badge>
      )}
      <CallTime from={turn.at} to={result?.at} />
    </>
  );
  if (call.input.text === "" && diff === undefined && result === undefined)
    return <p class="call-line flex baseline gap-2 narrow">{line}</p>;
  return (
    <Fold class="call" isOpen={isShort} line={line}>
      {() => (
        <>
          <CallFiles session={session} files={call.files} />
          <Input session={session} block={block} />
          {result && <Result session={session} turn={result} isEdit={diff !== undefined && !isFailed} />}
        </>
      )}
    </Fold>
  );
}

/** How long it took, including any wait for a permission, and when it began. */
function CallTime({ from, to }: { from: number | undefined; to: number | undefined }) {
  if (from === undefined) return null;
  return (
    <span class="call-time flex fixed gap-2 faint small numbers">
      {to !== undefined && to > from && <span title="From the call to its result">{elapsed(to - from)}</span>}
      <Clock at={from} />
    </span>
  );
}

function Input({ session, block: { call, turn, at } }: { session: SessionKey; block: CallBlock }) {
  if (call.diff !== undefined) {
    return (
      <Clipped session={session} turn={turn} part="diff" call={at} text={call.diff}>
        {(text) => <Diff text={text} {...(call.about !== "" && { path: call.about })} />}
      </Clipped>
    );
  }
  if (call.input.text === "" || call.input.text === "{}") return null;
  return (
    <Clipped session={session} turn={turn} part="input" call={at} text={call.input}>
      {(text) => <Code text={text} language="json" />}
    </Clipped>
  );
}

/** The result of a successful edit only repeats it, so it stays folded. */
function Result(props: { session: SessionKey; turn: CallBlock["turn"]; isEdit: boolean }) {
  const { session, turn, isEdit } = props;
  if (turn.said.text === "" && turn.images.length === 0) return <p class="muted small">No output.</p>;
  const shown = () => (
    <>
      {turn.said.text !== "" && (
        <Clipped session={session} turn={turn} part="said" text={turn.said}>
          {(text) => <Code text={text} />}
        </Clipped>
      )}
      <Images images={turn.images} />
    </>
  );
  return isEdit ? (
    <Fold class="call-result" line={<span class="muted">Result</span>}>
      {shown}
    </Fold>
  ) : (
    shown()
  );
}

/** At the end of a call's line: opens its file in the side panel, or shows what the model knew. */
function CallActions({ session, block }: { session: SessionKey; block: CallBlock }) {
  const { call, turn } = block;
  const address = useAppletAddress(session);
  const [path] = call.files;
  return (
    <span class="row-actions flex">
      {path !== undefined && (
        <>
          <RowLink label={`Open file ${path}`} icon={FilePen} href={address("text-editor", { path })} />
          {call.diff !== undefined && (
            <RowLink label={`Git diff of ${path}`} icon={GitCompare} href={address("git-diff", { path })} />
          )}
        </>
      )}
      <KnownLink session={session} at={turn.at} isIcon />
    </span>
  );
}

function RowLink({ label, icon, href }: { label: string; icon: typeof FilePen; href: string }) {
  return (
    <a class="row-action muted rounded-small" href={href} aria-label={label} title={label}>
      <Icon of={icon} size={14} />
    </a>
  );
}

/** A call about several files; each can be opened. */
function CallFiles({ session, files }: { session: SessionKey; files: readonly string[] }) {
  const address = useAppletAddress(session);
  if (files.length < 2) return null;
  return (
    <ul class="call-files flex wrap">
      {files.map((path) => (
        <li key={path}>
          <a class="link" href={address("text-editor", { path })} title={`Open file ${path}`}>
            {path}
          </a>
        </li>
      ))}
    </ul>
  );
}
