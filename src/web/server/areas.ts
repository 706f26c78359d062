import { actions } from "./actions.ts";
import { applets } from "./applets/routes.ts";
import { cards } from "./cards/routes.ts";
import { chat } from "./chat/routes.ts";
import { connect } from "./connect/routes.ts";
import { files } from "./files/routes.ts";
import { given } from "./given/routes.ts";
import { memory } from "./notes/routes.ts";
import { overview } from "./overview/routes.ts";
import { rules } from "./rules/routes.ts";
import { sessions } from "./sessions/routes.ts";
import { inbox } from "./suggestions/routes.ts";
import type { Area } from "./web.ts";

/** All areas of the API. Each is registered here and nowhere else. */
export const AREAS: readonly Area[] = [
  actions,
  overview,
  sessions,
  cards,
  files,
  applets,
  chat,
  given,
  memory,
  inbox,
  rules,
  connect,
];
