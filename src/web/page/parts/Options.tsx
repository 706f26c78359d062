export interface Option {
  readonly key: string;
  readonly text: string;
  readonly detail?: string;
}

interface Props {
  readonly id: string;
  readonly label: string;
  readonly options: readonly Option[];
  /** The index of the selected option. */
  readonly chosen: number;
  readonly isOpen: boolean;
  readonly place?: { readonly left: number; readonly top: number };
  take(option: Option, at: number): void;
}

/**
 * A field's suggestions while the user types. The field keeps the focus and refers to the selected option by
 * `optionId`.
 */
export function Options({ id, label, options, chosen, isOpen, place, take }: Props) {
  return (
    <ul
      class="options"
      id={id}
      role="listbox"
      aria-label={label}
      hidden={!isOpen}
      {...(place && { style: { left: `${place.left}px`, top: `${place.top}px` } })}
    >
      {options.map((option, at) => (
        <li
          key={option.key}
          id={optionId(id, at)}
          role="option"
          aria-selected={at === chosen}
          // Not a click, because the field would lose the focus first.
          onMouseDown={(event) => {
            event.preventDefault();
            take(option, at);
          }}
        >
          <span class="clip">{option.text}</span>
          {option.detail && <span class="muted small">{option.detail}</span>}
        </li>
      ))}
    </ul>
  );
}

export function optionId(id: string, at: number): string {
  return `${id}-${at}`;
}
