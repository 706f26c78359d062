import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Hono } from "hono";
import * as v from "valibot";
import { ContinuoError } from "../../base/errors.ts";
import { readBody, text } from "./requests.ts";

/** How a second `continuo web` asks the first for a link. The secret is in a file that only this user can read. */
export const CONTROL = "/control/link";

const Asked = v.strictObject({ nonce: text(100), proof: text(100) });

/** 256 bits, for tokens, cookies and keys. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** The secret itself is never sent: whatever listens on that port by now must not learn it. */
export function proofOf(secret: string, ...parts: readonly string[]): string {
  return createHmac("sha256", secret).update(JSON.stringify(parts)).digest("base64url");
}

export function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

export function controlRoute(app: Hono, secret: string, newLink: () => string): void {
  app.post(CONTROL, async (context) => {
    const { nonce, proof } = await readBody(context, Asked);
    if (!isSame(proof, proofOf(secret, "ask", nonce)))
      throw new ContinuoError("not-allowed", "this is for `continuo web` on this machine");
    const link = newLink();
    // Whoever asks ends at once; an open connection would keep its process.
    context.header("connection", "close");
    return context.json({ link, proof: proofOf(secret, "answer", nonce, link) });
  });
}
