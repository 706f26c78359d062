import { german } from "./de.ts";
import { spanish } from "./es.ts";
import { french } from "./fr.ts";
import { japanese } from "./ja.ts";
import type { Language } from "./language.ts";
import { portuguese } from "./pt.ts";
import { chinese } from "./zh.ts";

/** Japanese before Chinese, which share characters; the first in which a sentence is a wish counts. */
export const LANGUAGES: readonly Language[] = [german, french, spanish, portuguese, japanese, chinese];
