import type { Scope } from "../../file/sidecar.ts";
import type { Family } from "./language.ts";

/** "in this repo", "für dieses Projekt", "このリポジトリでは": limited to one project, in the seven supported languages. */
const THIS_PROJECT =
  /\b(?:in|for|within|inside|across) (?:this|our|the) (?:\w+ )?(?:repo|repository|project|codebase|code base|workspace|package)\b|\b(?:here in|around) (?:this|the) (?:repo|project)\b|\b(?:rest|remainder) of (?:this|the|our) \w+|\b(?:in|für|fuer|bei) (?:diesem|dieses|unserem|unser|dem) (?:repo\w*|projekt\w*|code)\b|\bhier im (?:repo\w*|projekt)\b|\b(?:dans|pour|sur) (?:ce|notre|le) (?:repo|dépôt|depot|projet|code)\b|\b(?:en|para) (?:este|nuestro|el) (?:repo\w*|proyecto|código)\b|\b(?:neste|nesse|no nosso|no|deste) (?:repo\w*|repositório|projeto|código)\b|(?:这个|本|此)(?:项目|仓库|库|代码库)|(?:この|本)(?:リポジトリ|プロジェクト|レポ)/iu;

/**
 * "Here", "our", "we" (in Spanish and Portuguese often only the verb's ending): an agreement of a team. Not "from here
 * on".
 */
const OURS =
  /(?<!\b(?:from|right|click|up to) )\bhere\b(?! (?:on|out|after)\b)|\b(?:our|ours|we|we['’](?:re|ve|ll)|around here)\b|(?<![\p{L}])(?:hier|wir|unser(?:e[nrms]?)?|bei uns|ici|nous|notre|nos|chez nous|aquí|nosotros|nuestr[oa]s?|aqui|nós|noss[oa]s?)(?![\p{L}])|这里|這裡|这边|(?<![\p{L}])\p{L}{2,}(?:amos|emos|imos)(?![\p{L}])|我们|我們|咱们|ここでは|うちで?は|うちの|私たち|我々/iu;

/** "The staging database is read only": a fact about one thing, and things belong to projects. */
const ONE_THING =
  /^\s*(?:the|our) (?!(?:user|agent|model|assistant|first|last|next|best|more|less|only)\b)[\w./-]+(?: [\w./-]+){0,3} (?:is|are|has|have|uses?|runs?|lives?|needs?|must|should|can|cannot|can['’]t|expects?|returns?|contains?|belongs?|goes|comes)\b/i;
/** "Staging has no cron jobs", "CI needs 20 minutes". Not "I" or "you", which are about a person. */
const FACT =
  /^(?!(?:i|i['’]m|i['’]ve|my|me|you|your|always|never|to|don['’]?t|do not)\b).*\b(?:is|are|has|have|uses?|runs?|lives?|needs?|must|takes?|expects?)\b/i;
/** The same in the other languages. */
const FACT_ELSEWHERE =
  /^(?!(?:ich|mein\p{L}*|mir|mich|du|dein\p{L}*|je|j['’]|mon|ma|mes|tu|ton|ta|yo|mis?|eu|meus?|minhas?|você)(?!\p{L}))(?!我(?!们|們)|你|私(?!たち)|僕|俺).*(?:(?<!\p{L})(?:ist|sind|hat|haben|läuft|braucht|darf|est|sont|ont|es|está|están|son|tiene|tienen|é|são|tem|têm)(?!\p{L})|是|有|です|ます|ません)/iu;
/** Paths and names of program parts, such as `errors.Is` or `src/api`. Not "and/or" or "TypeScript/JavaScript". */
const PLACES =
  /(?:^|[\s"'`(])(?:\.{0,2}\/[\w.-]+|[\w.-]+\/[\w.*-]+\/[\w./*-]*|(?:src|lib|test|tests|docs|app|apps|packages|scripts)\/[\w./*-]*)|\bin (?:src|lib)\b|\b[a-z]\w*\.[A-Z]\w+/;

/** "We use pnpm in this repo": the user says which project is meant, even if the same was said in another one. */
export function namesProject(sentence: string): boolean {
  return THIS_PROJECT.test(sentence);
}

/** The scope of a wish, if it states one or is about one thing; the user can still change it. */
export function scopeOf(sentence: string, family?: Family["name"]): Scope | undefined {
  const isOfProject =
    THIS_PROJECT.test(sentence) || OURS.test(sentence) || ONE_THING.test(sentence) || PLACES.test(sentence);
  return isOfProject || (family === "remember" && (FACT.test(sentence) || FACT_ELSEWHERE.test(sentence)))
    ? "project"
    : undefined;
}
