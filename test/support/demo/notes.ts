/** Notes of the demonstration, by file name. Their links make a graph. */
export const NOTES: Readonly<Record<string, string>> = {
  "Money is integer cents":
    "We keep [[money]] as integer cents, never as floating point.\n\nDiscounts and refunds are divided by the [[largest remainder]]: round down, then give the remaining cents to the largest remainders. See [[Refunds]] and [[Tax per line]].",
  Refunds:
    "A refund of a split payment goes back to each payment in proportion ([[Money is integer cents]]).\n\nThe [[payment provider]] takes up to 5 days. Never refund to a gift card that is closed: give [[store credit]].",
  "Tax per line":
    "The total's tax is rounded once, then divided among the lines, so that the invoice adds up. Decided with the accountant on 3 March ([[money]], [[invoices]]).",
  "Rollback of a release":
    "`deploy rollback SERVICE` takes the last healthy version.\n\n- [[search service]]: its index rebuilds, about 12 minutes\n- [[checkout]]: drain the queue first, see [[webhooks]]",
  Webhooks:
    "Six attempts over 24 hours with backoff and jitter, then the dead letter queue. The worker is `src/webhooks/deliver.ts`. Replays: [[Replaying webhooks]].",
  "Replaying webhooks":
    "`npm run webhooks:replay -- --since 2h`. Customers' endpoints must be idempotent; most are not, so ask first. [[webhooks]] [[customers]]",
  "Database migrations":
    "No lock longer than 2 s. Add columns without default, fill in batches of 5,000, then set the default. Example: `0117_customer_locale.sql`. [[PostgreSQL]] [[zero downtime]]",
  "Preview environments":
    "Each pull request gets `pr-N.shop.dev`. Secrets come from the preview vault. [[deploy]] [[secrets]]",
  "Rotate the database password":
    "Two users take turns; the application reads the current name from the secret. [[secrets]] [[PostgreSQL]] [[zero downtime]]",
  "Why we left moment":
    "61 kB smaller without it. Two places depended on mutable dates. [[date-fns]] [[admin panel]]",
  "Gift cards":
    "Check and reduce the balance in one statement. Two requests at once used a card twice in October. [[money]] [[concurrency]] [[checkout]]",
  "Cursor pagination":
    "Lists use `after=CURSOR` over an index on `(created_at, id)`. Page numbers time out for large shops. [[API]] [[PostgreSQL]]",
  "Flaky tests": "A test gives its own time. Never sleep: wait for what is seen. [[tests]] [[concurrency]]",
  "Load tests":
    "`k6 run load/checkout.js` against a preview. p95 of checkout must stay under 800 ms. [[checkout]] [[performance]] [[Preview environments]]",
  "Logs and cost":
    "Debug lines of the sidecar were 70% of the volume. They are sampled now. [[cost]] [[observability]]",
  "Alerts that matter":
    "An alert names its runbook and wakes nobody for what can wait. [[observability]] [[on call]]",
  "Offline tiles": "SQLite file per region, 200 MB at most, oldest first. [[maps]] [[offline]] [[SQLite]]",
  "Map projection": "Zooming is limited to 85 degrees: the projection is undefined at the poles. [[maps]]",
  "Accessibility of lists":
    "Every row has a label with distance and time. TalkBack on a Pixel is the reference. [[accessibility]] [[maps]]",
  "API conventions":
    "Dates are RFC 3339, ids are strings, errors have `code` and `message`. [[API]] [[customers]]",
};

export const RULES: Readonly<Record<string, string>> = {
  "money.md":
    '---\ndescription: Money is integer cents\nglobs: ["src/**/*.ts"]\nchecks:\n  edits:\n    - never: Math\\.round\n      message: Divide with divide(), so that the parts add up.\n---\nKeep money as integer cents. Add a property test when you change how amounts are divided.\n',
  "commits.md":
    "---\nchecks:\n  commands:\n    - before: git commit\n      ran: npm test\n    - never: git push.*--force\n      reaction: deny\n---\nMake small commits, one per fix. The message is `area: what changed and why`.\n",
  "migrations.md":
    '---\nglobs: ["migrations/**"]\n---\nNo lock longer than 2 seconds. Add columns without a default first.\n',
  "webhooks.md":
    "---\nkeywords: [webhook, webhooks, replay]\n---\nAsk before replaying webhooks: most customers' endpoints are not idempotent.\n",
};
