import { type ComponentChildren, Fragment } from "preact";

/** Names and values in two columns. Names without a value are left out. */
export function Facts({ of }: { of: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {of
        .filter(([, value]) => value !== undefined && value !== false)
        .map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
    </dl>
  );
}

/** A number and what it counts, in a list `<dl class="figures">`. */
export function Figure(props: { name: string; value: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd>{props.value}</dd>
      <dd class="muted small">{props.children}</dd>
    </div>
  );
}
