/** What a session of the demonstration says and does, independent of a host's format. */
export interface Said {
  readonly by: "person" | "agent";
  readonly text: string;
  readonly calls?: readonly DemoCall[];
  /** The host compacted the session before this turn. */
  readonly afterCompaction?: string;
}

export interface DemoCall {
  readonly name: "Read" | "Edit" | "Bash" | "Grep" | "Write";
  readonly input: Readonly<Record<string, string>>;
  readonly result: string;
}

/** The session that is looked at most: a bug, an edit, a test, a compaction, a decision. */
export const REFUND: readonly Said[] = [
  {
    by: "person",
    text: "Refunds of split payments are off by a cent sometimes. Can you find out why and fix it? The failing order is 48213.",
  },
  {
    by: "agent",
    text: "I'll look at how refunds are divided among payments first.",
    calls: [
      {
        name: "Grep",
        input: { pattern: "splitRefund", path: "src" },
        result:
          "src/refunds/split.ts:12:export function splitRefund(\nsrc/refunds/issue.ts:31:  const parts = splitRefund(amount, payments);",
      },
      {
        name: "Read",
        input: { file_path: "src/refunds/split.ts" },
        result:
          "export function splitRefund(amount: number, payments: Payment[]): number[] {\n  const total = payments.reduce((sum, p) => sum + p.amount, 0);\n  return payments.map((p) => Math.round((amount * p.amount) / total));\n}",
      },
    ],
  },
  {
    by: "agent",
    text: [
      "Found it. Each part is rounded **on its own**, so the parts need not add up to the refund:",
      "",
      "| payment | share of 10.00 | rounded |",
      "|---|---|---|",
      "| card | 3.335 | 3.34 |",
      "| gift card | 3.335 | 3.34 |",
      "| balance | 3.330 | 3.33 |",
      "",
      "The sum is **10.01**. I'll give the remaining cents to the largest parts, as the note *Money is integer cents* says we do for discounts.",
    ].join("\n"),
    calls: [
      {
        name: "Edit",
        input: {
          file_path: "src/refunds/split.ts",
          old_string: "  return payments.map((p) => Math.round((amount * p.amount) / total));",
          new_string:
            "  const parts = payments.map((p) => Math.floor((amount * p.amount) / total));\n  let rest = amount - parts.reduce((sum, part) => sum + part, 0);\n  for (const at of byLargestRemainder(payments, amount, total)) {\n    if (rest-- <= 0) break;\n    parts[at] += 1;\n  }\n  return parts;",
        },
        result: "The file src/refunds/split.ts has been updated.",
      },
      {
        name: "Bash",
        input: { command: "npm test -- refunds", description: "Run the tests of refunds" },
        result:
          " ✓ test/refunds/split.test.ts (14 tests) 41ms\n ✓ test/refunds/issue.test.ts (9 tests) 88ms\n\n Tests  23 passed (23)",
      },
    ],
  },
  {
    by: "person",
    text: "Good. Is there anything else that rounds like this? And always add a property test when you touch money.",
  },
  {
    by: "agent",
    text: "Two more places round one by one: `src/tax/lines.ts` and the invoice's discount column. I'll write the property test first: *the parts of any split add up to the whole*.",
    calls: [
      {
        name: "Write",
        input: {
          file_path: "test/refunds/split.property.test.ts",
          content:
            'import fc from "fast-check";\nimport { splitRefund } from "../../src/refunds/split.ts";\n\nit("the parts of any split add up to the whole", () => {\n  fc.assert(fc.property(amounts, payments, (amount, paid) => {\n    expect(sum(splitRefund(amount, paid))).toBe(amount);\n  }));\n});\n',
        },
        result: "File created successfully at: test/refunds/split.property.test.ts",
      },
      {
        name: "Bash",
        input: { command: "npm test -- split.property" },
        result: " ✓ test/refunds/split.property.test.ts (1 test) 212ms\n\n Tests  1 passed (1)",
      },
    ],
  },
  {
    by: "agent",
    text: "The property holds for refunds. `src/tax/lines.ts` fails it after 7 examples, so the same fix is needed there.",
    afterCompaction:
      "The person asked to fix refunds of split payments that are off by a cent (order 48213). Cause: each part was rounded on its own in src/refunds/split.ts. Fixed with the largest remainder; 23 tests pass. A property test was added. Next: src/tax/lines.ts has the same defect.",
    calls: [
      {
        name: "Read",
        input: { file_path: "src/tax/lines.ts" },
        result:
          "export function taxOfLines(lines: Line[], rate: number) {\n  return lines.map((line) => Math.round(line.net * rate));\n}",
      },
      {
        name: "Edit",
        input: {
          file_path: "src/tax/lines.ts",
          old_string: "  return lines.map((line) => Math.round(line.net * rate));",
          new_string:
            "  const total = Math.round(sum(lines.map((line) => line.net)) * rate);\n  return divide(total, lines.map((line) => line.net));",
        },
        result: "The file src/tax/lines.ts has been updated.",
      },
    ],
  },
  {
    by: "person",
    text: "Move the helper somewhere both can use it, then commit. Small commits please, one per fix.",
  },
  {
    by: "agent",
    text: "Moved to `src/money/divide.ts` and used by both. Two commits:\n\n1. `refunds: parts of a split add up to the refund`\n2. `tax: lines add up to the rounded total`\n\nThe invoice's discount column rounds only for display, so I left it and wrote that down.",
    calls: [
      {
        name: "Bash",
        input: { command: "git commit -am 'refunds: parts of a split add up to the refund'" },
        result:
          "[main 4f2a91c] refunds: parts of a split add up to the refund\n 3 files changed, 31 insertions(+), 4 deletions(-)",
      },
    ],
  },
];

/** Other sessions: what was asked and answered, by project. */
export const OTHERS: readonly {
  readonly project: string;
  readonly topics: readonly (readonly [string, string])[];
}[] = [
  {
    project: "shop",
    topics: [
      [
        "Add cursor pagination to GET /orders, the page number version times out for large shops",
        "Done. `GET /orders?after=CURSOR` uses the index on `(created_at, id)`. The old `page` parameter still works and is marked deprecated in the OpenAPI file.",
      ],
      [
        "The nightly export of invoices fails with ENOMEM since Monday",
        "The export held all rows in memory. It streams now, 40 MB at most. I kept the file's format byte for byte and compared it with last week's export.",
      ],
      [
        "Write a migration that adds customers.locale with a default, without locking the table",
        "Three steps: add the column without a default, fill it in batches of 5,000, then set the default. The migration is in `migrations/0117_customer_locale.sql`.",
      ],
      [
        "Why is checkout slow in the evening?",
        "Every checkout asks the tax service twice. The second call came with the gift card feature. I cached the answer for the cart's lifetime: p95 went from 1.9 s to 640 ms in the load test.",
      ],
      [
        "Replace moment with date-fns in the admin panel",
        "Replaced in 34 files. Two places depended on moment's mutable dates; both have a test now. The bundle is 61 kB smaller.",
      ],
      [
        "Explain how webhooks are retried",
        "Six attempts over 24 hours with backoff and jitter; a dead letter after that. The queue is `webhooks`, the worker is `src/webhooks/deliver.ts`.",
      ],
      [
        "Gift cards can be used twice when two requests come at once",
        "Confirmed with a test that sends both at once. The balance is now checked and reduced in one statement (`UPDATE … WHERE balance >= $1`).",
      ],
      [
        "Set up preview environments for pull requests",
        "Each pull request gets `pr-N.shop.dev`, removed when it is merged. Secrets come from the preview vault, never from production.",
      ],
      [
        "Rename Customer.mail to email everywhere",
        "Renamed in 58 files, with a view for the old column until the next release.",
      ],
      [
        "Investigate the flaky test in test/cart/expiry.test.ts",
        "It depended on the clock at midnight. The test gives its own time now; 500 runs passed.",
      ],
    ],
  },
  {
    project: "infra",
    topics: [
      [
        "Rotate the database password without downtime",
        "Two users take turns: the application reads the current name from the secret. The runbook is in `runbooks/rotate-database-password.md`.",
      ],
      [
        "Terraform wants to replace the load balancer, why?",
        "The provider's new version changed the default of `ip_address_type`. I set it explicitly; the plan is empty now.",
      ],
      [
        "Alert when the certificate has less than 14 days",
        "Added an alert on `probe_ssl_earliest_cert_expiry`, tested with a certificate that ends in 10 days.",
      ],
      [
        "Roll back last night's deploy of the search service",
        "Rolled back to `search-2026.11.3` with `deploy rollback search`. The index format changed, so it rebuilt: 12 minutes.",
      ],
      [
        "Cut the cost of logs",
        "70% of the volume was debug lines of one sidecar. Sampling them saves about 410 EUR a month.",
      ],
    ],
  },
  {
    project: "atlas",
    topics: [
      [
        "The map jumps when I pinch to zoom near the pole",
        "The projection is undefined there. Zooming is limited to 85 degrees, as other maps do.",
      ],
      [
        "Add offline tiles for a chosen region",
        "Tiles are stored in an SQLite file, 200 MB at most, and removed oldest first. The download shows its progress and can be paused.",
      ],
      [
        "Crash on Android 12 when the location permission is revoked while tracking",
        "The service asked for a location without checking again. It stops now and tells the person why.",
      ],
      [
        "Make the route list accessible",
        "Every row has a label with distance and time; the order of focus follows the list; TalkBack reads it correctly on a Pixel.",
      ],
    ],
  },
];
