import { Pin, X } from "lucide";
import type { ComponentChildren } from "preact";
import type { CardFile, CardView } from "../../api/cards.ts";
import { useAppletAddress } from "../core/applet-address.ts";
import { Badge } from "../parts/Badge.tsx";
import { Button } from "../parts/Button.tsx";
import { addItem, removeItem } from "./change.ts";
import { noteLook } from "./looks.ts";
import { keyOf } from "./summary.ts";

interface Props {
  readonly card: CardView;
  /** Items that were just added or changed. */
  readonly fresh: ReadonlySet<string>;
}

/** All groups of an open card. */
export function CardGroups({ card, fresh }: Props) {
  const { session, applet } = card;
  const address = useAppletAddress(session);
  const look = (path: string) => {
    if (applet !== undefined) noteLook(session, path);
  };
  const remove = (set: string, item: string, label = item) => (
    <Button
      kind="quiet"
      class="card-action"
      icon={X}
      aria-label={set === "files" ? `Unpin ${label}` : `Remove ${label}`}
      onClick={() => void removeItem(session, card, set, item)}
    />
  );
  return (
    <>
      <Group title="Pinned files" isShown={card.files.length > 0}>
        {card.files.map((file) => (
          <Item
            key={file.path}
            isFresh={fresh.has(keyOf("files", file.path, file.state + (file.change ?? "")))}
          >
            <FileName file={file} href={address("text-editor", { path: file.path })} onOpen={look} />
            {remove("files", file.path, file.name)}
          </Item>
        ))}
      </Group>
      <Group title="Applet" isShown={applet !== undefined}>
        {applet !== undefined && (
          <Item isFresh={fresh.has(keyOf("applet", applet.slug, JSON.stringify(applet.parameters)))}>
            <span class="card-applet stack grow narrow">
              <span class="clip">{applet.title}</span>
              <span class="card-detail faint small clip" title={parametersOf(applet.parameters)}>
                {parametersOf(applet.parameters)}
              </span>
            </span>
            {applet.isThere ? (
              <a class="button card-restore" href={address(applet.slug, applet.parameters)}>
                Restore
              </a>
            ) : (
              <Badge tone="warn" title="No applet has this name now">
                missing
              </Badge>
            )}
            {remove("applet", applet.slug, applet.title)}
          </Item>
        )}
      </Group>
      <Group title="Ports" isShown={card.ports.length > 0}>
        {card.ports.map(({ port, isOpen }) => (
          <Item key={port} isFresh={fresh.has(keyOf("ports", String(port), String(isOpen)))}>
            <code class="card-port">{port}</code>
            <Badge tone={isOpen ? "good" : "plain"}>{isOpen ? "open" : "closed"}</Badge>
            <span class="grow" />
            {remove("ports", String(port), `port ${port}`)}
          </Item>
        ))}
      </Group>
      <Group title="Endpoints" isShown={card.endpoints.length > 0}>
        {card.endpoints.map(({ item, method, url }) => (
          <Item key={item} isFresh={fresh.has(keyOf("endpoints", item))}>
            <Badge>{method}</Badge>
            <EndpointName url={url} />
            {remove("endpoints", item)}
          </Item>
        ))}
      </Group>
      {card.others.map(({ name, items }) => (
        <Group key={name} title={name} isShown>
          {items.map((item) => (
            <Item key={item} isFresh={fresh.has(keyOf(name, item))}>
              <span class="card-name clip" title={item}>
                {item}
              </span>
              {remove(name, item)}
            </Item>
          ))}
        </Group>
      ))}
      <Group title="In use" isShown={card.used.length > 0}>
        {card.used.map((file) => (
          <Item key={file.path} isFresh={false}>
            <FileName file={file} href={address("text-editor", { path: file.path })} onOpen={look} />
            <Button
              kind="quiet"
              class="card-action"
              icon={Pin}
              aria-label={`Pin ${file.name}`}
              onClick={() => void addItem(session, card, "files", file.path)}
            />
          </Item>
        ))}
      </Group>
    </>
  );
}

function Group(props: { title: string; isShown: boolean; children: ComponentChildren }) {
  if (!props.isShown) return null;
  return (
    <section class="card-group" aria-label={props.title}>
      <h3>{props.title}</h3>
      <ul>{props.children}</ul>
    </section>
  );
}

function Item({ isFresh, children }: { isFresh: boolean; children: ComponentChildren }) {
  return (
    <li
      class={
        isFresh
          ? "card-item row gap-tight rounded-small min-28 hover card-fresh"
          : "card-item row gap-tight rounded-small min-28 hover"
      }
    >
      {children}
    </li>
  );
}

function FileName(props: { file: CardFile; href: string; onOpen: (path: string) => void }) {
  const { file, href, onOpen } = props;
  const { path, name, state, change, canOpen } = file;
  const slash = name.lastIndexOf("/") + 1;
  const text = (
    <>
      <span class="card-file">{name.slice(slash)}</span>
      <span class="card-detail faint small">{name.slice(0, slash)}</span>
    </>
  );
  return (
    <>
      {canOpen ? (
        <a class={`card-name clip card-${state}`} href={href} title={path} onClick={() => onOpen(path)}>
          {text}
        </a>
      ) : (
        <span
          class={`card-name clip card-${state}`}
          title={`${path}: not in a known project, so the page does not open it`}
        >
          {text}
        </span>
      )}
      {state === "changed" && (
        <Badge tone="accent" title={`Since the session was last idle: ${change}`}>
          {change ?? "changed"}
        </Badge>
      )}
      {state === "gone" && <Badge tone="warn">gone</Badge>}
    </>
  );
}

/** A link that opens only on a click, and only if a browser can open it. */
function EndpointName({ url }: { url: string }) {
  if (!/^https?:\/\//i.test(url))
    return (
      <span class="card-name clip" title={url}>
        {url}
      </span>
    );
  return (
    <a class="card-name clip" href={url} title={url} target="_blank" rel="noreferrer noopener">
      {url.replace(/^https?:\/\//i, "")}
    </a>
  );
}

function parametersOf(parameters: Readonly<Record<string, string>>): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name}=${value}`)
    .join(", ");
}
