import { connect } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { WebEvent } from "../../../src/web/api/events.ts";
import { type Connection, createEventStream, STREAM_LIMITS } from "../../../src/web/server/stream.ts";
import { ask } from "../../support/raw-http.ts";
import { type RunningTestWeb, startTestWeb, webWorld } from "../../support/web.ts";
import { messages } from "../../support/web-events.ts";
import { temporaryWorld } from "../../support/world.ts";

const NOTES: WebEvent = { type: "notes" };
const chat = (text: string): WebEvent => ({
  type: "chat",
  chat: "c",
  event: { kind: "piece", run: "r", seq: 1, id: "m", text, thinking: "" },
});
const connection = (more: Partial<Connection> = {}): Connection => ({
  drop: () => undefined,
  onEnd: () => undefined,
  ...more,
});
const start = (): Promise<RunningTestWeb> => startTestWeb(webWorld(temporaryWorld()), { areas: [] });

async function openStream(served: RunningTestWeb, headers: Record<string, string> = {}) {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const answer = await served.fetch("/api/events", { headers, signal: stop.signal });
  return { answer, stop, read: messages(answer.body) };
}

describe("the event stream", () => {
  it("sends what is published, with ids of this run", async () => {
    const served = await start();
    const { answer, read } = await openStream(served);
    expect(answer.headers.get("content-type")).toContain("text/event-stream");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const first = await read.next();
    served.web.publish(NOTES);
    served.web.publish(chat("line 1\nline 2"));
    const [, run] = /^(\w+)-0$/.exec(first.value?.id ?? "") ?? [];
    expect((await read.next()).value).toEqual({ id: `${run}-1`, event: NOTES });
    expect((await read.next()).value).toEqual({ id: `${run}-2`, event: chat("line 1\nline 2") });
  });

  it.each(["header", "query"])("resumes after the last id that a page saw, given as %s", async (how) => {
    const served = await start();
    const before = await openStream(served);
    await before.read.next();
    for (const text of ["a", "b"]) served.web.publish(chat(text));
    const seen = (await before.read.next()).value?.id ?? "";
    before.stop.abort();
    served.web.publish(chat("c"));
    const answer = await served.fetch(
      how === "query" ? `/api/events?last=${seen}` : "/api/events",
      how === "query" ? {} : { headers: { "last-event-id": seen } },
    );
    const read = messages(answer.body);
    await read.next();
    expect((await read.next()).value?.event).toEqual(chat("b"));
    expect((await read.next()).value?.event).toEqual(chat("c"));
  });

  it.each(["of another run-5", "000000000000-0", "", "RUN-99", "RUN--1", "RUN-1e3", "x".repeat(500)])(
    "tells a page to load everything again if it cannot resume: %s",
    async (last) => {
      const stream = createEventStream();
      stream.send(NOTES);
      const fresh = messages(stream.open(undefined, connection()));
      const run = (await fresh.next()).value?.id?.split("-")[0] ?? "";
      const read = messages(stream.open(last.replace("RUN", run), connection()));
      await read.next();
      expect((await read.next()).value).toEqual({ id: `${run}-1`, event: { type: "reset" } });
    },
  );

  it("keeps a bounded number and size of events for pages that reconnect", async () => {
    for (const limits of [
      { ...STREAM_LIMITS, keptEvents: 3 },
      { ...STREAM_LIMITS, keptBytes: 4 * 130 },
    ]) {
      const stream = createEventStream(limits);
      const run = (await messages(stream.open(undefined, connection())).next()).value?.id?.split("-")[0];
      for (let number = 1; number <= 10; number++) stream.send(chat("x".repeat(30)));
      const since = async (number: number) => {
        const read = messages(stream.open(`${run}-${number}`, connection()));
        await read.next();
        return (await read.next()).value?.event?.type;
      };
      expect(await since(7)).toBe("chat");
      expect(await since(6)).toBe("reset");
    }
  });

  it("drops a page that reads too slowly, and only that one", async () => {
    const stream = createEventStream({ ...STREAM_LIMITS, mostBehindBytes: 2000 });
    const dropped = vi.fn();
    stream.open(undefined, connection({ drop: dropped }));
    const quick = messages(stream.open(undefined, connection()));
    await quick.next();
    for (let number = 0; number < 40; number++) {
      stream.send(chat("x".repeat(100)));
      await quick.next();
    }
    expect(dropped).toHaveBeenCalledOnce();
    expect(stream.size).toBe(1);
  });

  it("shows now and then that the connection holds, only while a page is open", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const stream = createEventStream();
    expect(vi.getTimerCount()).toBe(0);
    const opened = stream.open(undefined, connection());
    const read = messages(opened);
    await read.next();
    vi.advanceTimersByTime(STREAM_LIMITS.heartbeatMs);
    expect((await read.next()).value).toEqual({ comment: "still here" });
    await read.return(undefined);
    expect(stream.size).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("a stream that nobody reads", () => {
  it("takes no place: a connection that ended before its answer, a request for the headers alone", async () => {
    const stream = createEventStream();
    let forget: () => void = () => undefined;
    stream.open(
      undefined,
      connection({
        onEnd(end) {
          forget = end;
        },
      }),
    );
    expect(stream.size).toBe(1);
    forget();
    expect(stream.size).toBe(0);
    const served = await start();
    for (let count = 0; count < 65; count++)
      expect((await served.fetch("/api/events", { method: "HEAD" })).status).toBe(405);
    expect((await openStream(served)).answer.status).toBe(200);
  });
});

describe("1,000 event streams", () => {
  it("are refused beyond 64 with a clear answer; the server goes on and closes at once", async () => {
    const served = await start();
    const headers = {
      host: `127.0.0.1:${served.server.port}`,
      cookie: served.cookie,
      "x-continuo-page": served.key,
    };
    const open = await Promise.all(Array.from({ length: 64 }, () => openStream(served)));
    const refused = [];
    for (let batch = 0; batch < 8; batch++) {
      const asked = Array.from({ length: 117 }, () => ask(served.server.port, "/api/events", { headers }));
      refused.push(...(await Promise.all(asked)));
    }
    expect(refused.length + open.length).toBe(1000);
    const answers = new Set(refused.map(({ status, body }) => `${status} ${JSON.parse(body).error?.code}`));
    // Requests of one page are bounded too.
    expect([...answers].every((one) => /^503 too-many-streams$|^429 too-many-requests$/.test(one))).toBe(
      true,
    );
    expect(answers).toContain("503 too-many-streams");
    for (const { read } of open) await read.next();
    served.web.publish(NOTES);
    for (const { read } of open) expect((await read.next()).value?.event).toEqual(NOTES);
    // A page that leaves makes room.
    open[0]?.stop.abort();
    await vi.waitFor(
      async () => {
        const { answer, stop } = await openStream(served);
        stop.abort();
        expect(answer.status).toBe(200);
      },
      { timeout: 20_000 },
    );
    await served.close();
  });

  it("end with the server", async () => {
    const served = await start();
    const { read } = await openStream(served);
    await read.next();
    const idle = connect(served.server.port, "127.0.0.1");
    await new Promise((resolve) => idle.once("connect", resolve));
    const closed = new Promise((resolve) => idle.once("close", resolve));
    idle.on("error", () => undefined);
    await served.close();
    await closed;
    expect(await read.next().catch(() => ({ done: true }))).toMatchObject({ done: true });
  });
});
