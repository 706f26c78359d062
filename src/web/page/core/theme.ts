import { signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";

const KEY = "continuo.theme";

export const theme = signal<Theme>(stored());

/** What a person chose stays chosen; `system` follows the machine. */
export function setTheme(next: Theme): void {
  theme.value = next;
  document.documentElement.dataset["theme"] = next;
  try {
    if (next === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, next);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

function stored(): Theme {
  const value = document.documentElement.dataset["theme"];
  return value === "light" || value === "dark" ? value : "system";
}
