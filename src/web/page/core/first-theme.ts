// Runs before the page is painted, so that the theme does not flash. `theme.ts` follows what changes later.
let chosen: string | null = null;
try {
  chosen = localStorage.getItem("continuo.theme");
} catch {
  // Without storage the system's theme is shown.
}
const isSystemDark = matchMedia("(prefers-color-scheme: dark)").matches;
document.documentElement.dataset["theme"] =
  chosen === "dark" || (chosen !== "light" && isSystemDark) ? "dark" : "light";
