// Runs before the page is painted, so that the wrong theme does not flash. `theme.ts` handles later changes.
let chosen: string | null = null;
try {
  chosen = localStorage.getItem("continuo.theme");
} catch {
  // Without storage the system's theme is used.
}
const isSystemDark = matchMedia("(prefers-color-scheme: dark)").matches;
document.documentElement.dataset["theme"] =
  chosen === "dark" || (chosen !== "light" && isSystemDark) ? "dark" : "light";
