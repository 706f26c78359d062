import { alone } from "../ports/action.ts";
import { log } from "./log.ts";
import { status } from "./status.ts";
import { why } from "./why.ts";

/** What sessions were given. */
export const GIVEN_GROUPS = [alone("sessions", why), alone("sessions", log), alone("sessions", status)];
