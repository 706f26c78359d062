import { Hono } from "hono";
import { failureHandler, unknownAddress } from "./failures.ts";
import type { Area, Web } from "./web.ts";

/** The routes of areas with the answers for failures. Access is checked around it. */
export function createApi(web: Web, areas: readonly Area[], more?: (app: Hono) => void): Hono {
  const app = new Hono();
  app.onError(failureHandler(web));
  app.notFound(unknownAddress(app));
  more?.(app);
  for (const area of areas) area.routes(app, web);
  return app;
}
