import type { Scope } from "../../file/sidecar.ts";

/** "in this repo", "für dieses Projekt", "このリポジトリでは": said of one project, in the seven languages that are heard. */
const THIS_PROJECT =
  /\b(?:in|for|within|inside|across) (?:this|our|the) (?:\w+ )?(?:repo|repository|project|codebase|code base|workspace|package)\b|\b(?:here in|around) (?:this|the) (?:repo|project)\b|\b(?:in|für|fuer|bei) (?:diesem|dieses|unserem|unser|dem) (?:repo\w*|projekt\w*|code)\b|\bhier im (?:repo\w*|projekt)\b|\b(?:dans|pour|sur) (?:ce|notre|le) (?:repo|dépôt|depot|projet|code)\b|\b(?:en|para) (?:este|nuestro|el) (?:repo\w*|proyecto|código)\b|\b(?:neste|nesse|no nosso|no|deste) (?:repo\w*|repositório|projeto|código)\b|(?:这个|本|此)(?:项目|仓库|库|代码库)|(?:この|本)(?:リポジトリ|プロジェクト|レポ)/iu;

/** What a wish is meant for, if it says so; the user can still change it. */
export function scopeOf(sentence: string): Scope | undefined {
  return THIS_PROJECT.test(sentence) ? "project" : undefined;
}
