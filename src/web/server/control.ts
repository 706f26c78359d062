import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Hono } from "hono";
import * as v from "valibot";
import { ContinuoError } from "../../base/errors.ts";
import { readBody, text } from "./requests.ts";

/**
 * The path at which a second `continuo web` asks the first one for a link. The secret is in a file that only this user
 * can read.
 */
export const CONTROL = "/control/link";

const Asked = v.strictObject({ nonce: text(100), proof: text(100) });

/** 256 bits, for tokens, cookies and keys. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** The secret itself is never sent: another program may be listening on that port by now. */
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
    // The client exits right after this; an open connection would keep its process alive.
    context.header("connection", "close");
    return context.json({ link, proof: proofOf(secret, "answer", nonce, link) });
  });
}
