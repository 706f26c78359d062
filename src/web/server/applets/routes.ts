import { ContinuoError } from "../../../base/errors.ts";
import type { Area } from "../web.ts";
import { frameFile, framePolicy } from "./frame.ts";
import { frameAddress, isFrameKey, listApplets } from "./list.ts";

export const applets: Area = {
  name: "applets",
  // A frame without an origin has no cookie, so the key in its address is checked here.
  isOpen: (path) => path.startsWith("/applets/"),
  routes(app, web) {
    app.get("/api/applets", (context) => context.json(listApplets(web)));
    app.get("/applets/:slug/:key/:name{.*}?", (context) => {
      const { slug, key, name = "" } = context.req.param();
      if (!isFrameKey(web, slug, key)) throw new ContinuoError("no-such-applet", "there is no such applet");
      const { type, content } = frameFile(web, slug, name);
      const base = `${new URL(context.req.url).origin}${frameAddress(web, slug)}`;
      return context.body(content, 200, {
        "content-type": type,
        "content-security-policy": framePolicy(base),
        // The frame has no origin, so its own files count as cross-origin. The key keeps others out.
        "cross-origin-resource-policy": "cross-origin",
        "access-control-allow-origin": "null",
        "x-dns-prefetch-control": "off",
      });
    });
  },
};
