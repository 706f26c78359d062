import type { GivenDay } from "../../api/given.ts";
import { shortDay } from "../core/format.ts";

/** A simple chart with one bar per day. The table beside it contains the same figures. */
export function Bars(props: {
  days: readonly GivenDay[];
  value: (day: GivenDay) => number;
  text: (day: GivenDay) => string;
  label: string;
}) {
  const { days, value, text, label } = props;
  const most = Math.max(1e-9, ...days.map(value));
  const step = 100 / days.length;
  return (
    <figure class="bars">
      <svg viewBox="0 0 100 40" preserveAspectRatio="none" role="img" aria-label={label}>
        <line x1="0" x2="100" y1="39.8" y2="39.8" class="bars-base" />
        {days.map((day, i) => {
          const height = (value(day) / most) * 38;
          return (
            <g key={day.day}>
              <title>{`${day.day}: ${text(day)}`}</title>
              <rect class="bars-hit" x={i * step} y={0} width={step} height={40} />
              <rect
                class="bar"
                x={i * step + step * 0.15}
                y={39.6 - height}
                width={step * 0.7}
                height={Math.max(height, value(day) > 0 ? 0.6 : 0)}
              />
            </g>
          );
        })}
      </svg>
      <figcaption class="flex between small muted pad-top-1">
        <span>{dayLabel(days[0]?.day)}</span>
        <span>{dayLabel(days.at(-1)?.day)}</span>
      </figcaption>
    </figure>
  );
}

/** "12 Nov". */
export function dayLabel(day: string | undefined): string {
  if (day === undefined) return "";
  return shortDay(Date.parse(`${day}T12:00:00`));
}
