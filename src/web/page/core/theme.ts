import { computed, effect, signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";

const KEY = "continuo.theme";

const system = matchMedia("(prefers-color-scheme: dark)");
const isSystemDark = signal(system.matches);
system.addEventListener("change", () => {
  isSystemDark.value = system.matches;
});

/** The user's choice. */
export const theme = signal<Theme>(stored());

/** Whether the dark theme is shown. */
export const isDark = computed(() =>
  theme.value === "system" ? isSystemDark.value : theme.value === "dark",
);

effect(() => {
  document.documentElement.dataset["theme"] = isDark.value ? "dark" : "light";
});

/** Stores the user's choice; `system` follows the machine. */
export function setTheme(next: Theme): void {
  theme.value = next;
  try {
    if (next === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, next);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

function stored(): Theme {
  try {
    const value = localStorage.getItem(KEY);
    return value === "light" || value === "dark" ? value : "system";
  } catch {
    return "system";
  }
}
