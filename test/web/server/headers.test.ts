import { describe, expect, it } from "vitest";
import type { Area } from "../../../src/web/server/web.ts";
import { startTestWeb, webWorld } from "../../support/web.ts";
import { temporaryWorld } from "../../support/world.ts";

const area: Area = {
  name: "test",
  routes(app) {
    app.get("/api/thing", (context) => context.json({ thing: 1 }));
    app.get("/api/bug", () => {
      throw new Error("a bug");
    });
    app.get("/applets/one", (context) =>
      context.html("<p>", 200, {
        "content-security-policy": "sandbox allow-scripts; default-src 'none'",
        "cross-origin-resource-policy": "cross-origin",
        "x-content-type-options": "weaker",
        "referrer-policy": "unsafe-url",
      }),
    );
  },
};

const start = () => startTestWeb(webWorld(temporaryWorld()), { areas: [area] });

describe("every answer", () => {
  it.each(["/", "/api/thing", "/api/bug", "/api/unknown", "/sessions/pi/x"])(
    "allows nothing from elsewhere and nothing inline: %s",
    async (path) => {
      const { headers } = await (await start()).fetch(path);
      const policy = (headers.get("content-security-policy") ?? "").split("; ");
      expect(policy).toEqual([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "frame-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ]);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
      expect(headers.get("permissions-policy")).toContain("camera=()");
    },
  );

  it("is protected also when it is a refusal", async () => {
    const { url, server } = await start();
    for (const path of ["/", "/api/thing", "/enter/wrong"]) {
      const { status, headers } = await fetch(url + path);
      expect(status).toBe(401);
      expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    }
    const entered = await fetch(server.link());
    expect(entered.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(entered.headers.get("cache-control")).toBe("no-store");
  });

  it("of the API is not stored by the browser", async () => {
    expect((await (await start()).fetch("/api/thing")).headers.get("cache-control")).toBe("no-store");
  });

  it("may have a policy of its own for a frame, and keeps the rest", async () => {
    const { headers } = await (await start()).fetch("/applets/one");
    expect(headers.get("content-security-policy")).toBe("sandbox allow-scripts; default-src 'none'");
    expect(headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
  });
});
