// Runs before the page is painted, so that a chosen theme does not flash. Nothing else belongs here.
try {
  document.documentElement.dataset["theme"] = localStorage.getItem("continuo.theme") ?? "system";
} catch {
  document.documentElement.dataset["theme"] = "system";
}
