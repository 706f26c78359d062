import { FilePen, GitCompare } from "lucide";
import { useAppletAddress } from "../core/applet-address.ts";
import { Icon } from "../parts/Icon.tsx";
import type { CallBlock } from "./blocks.ts";
import type { SessionKey } from "./Clipped.tsx";
import { KnownLink } from "./KnownLink.tsx";

/** At the end of a call's line: its file in the side panel, and what the model knew. */
export function CallActions({ session, block }: { session: SessionKey; block: CallBlock }) {
  const { call, turn } = block;
  const address = useAppletAddress(session);
  const [path] = call.files;
  return (
    <span class="row-actions">
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
    <a class="row-action" href={href} aria-label={label} title={label}>
      <Icon of={icon} size={14} />
    </a>
  );
}

/** A call about several files: each of them opens. */
export function CallFiles({ session, files }: { session: SessionKey; files: readonly string[] }) {
  const address = useAppletAddress(session);
  if (files.length < 2) return null;
  return (
    <ul class="call-files">
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
