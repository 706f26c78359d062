export interface Option {
  readonly key: string;
  readonly text: string;
  readonly detail?: string;
}

interface Props {
  readonly id: string;
  readonly label: string;
  readonly options: readonly Option[];
  /** The chosen one's index. */
  readonly chosen: number;
  readonly isOpen: boolean;
  readonly place?: { readonly left: number; readonly top: number };
  take(option: Option, at: number): void;
}

/** What a field suggests while a person types. The field keeps the focus and names the chosen one by `optionId`. */
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
          // Not a click: the field would lose the focus first.
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
