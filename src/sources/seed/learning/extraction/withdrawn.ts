/** What takes a wish back, or says that there never was one. No sentence of such a message is a wish. */
const WITHDRAWN = new RegExp(
  [
    "\\b(?:forget (?:what|everything|all) i (?:said|told)|(?:forget|scratch|ignore) (?:that|what i said)|i (?:take|took) (?:that|it) back|never ?mind(?! the)|i(?:['’]ve)? changed my mind|on second thoughts?|i (?:never|didn['’]?t) (?:say|said|tell|told|ask|asked)(?: you)?)\\b",
    "(?:vergiss (?:das|was ich|bitte (?:das|was))|das nehme ich zurück|ich nehme .{0,20} zurück|hat sich erledigt|doch nicht mehr|doch egal|ich hab(?:e)? (?:dir |doch )?(?:nie|nicht|niemals) (?:gesagt|verlangt|darum gebeten)|war nur (?:so )?eine idee)",
    "(?:oublie (?:ça|ce que|cette|l['’]histoire|la règle)|laisse tomber|je retire|finalement non|j['’]ai changé d['’]avis|je n['’]ai (?:jamais|pas) (?:dit|demandé))",
    "(?:olv[ií]da(?:te)? (?:de )?(?:eso|lo|aquello|esa)|retiro lo|he cambiado de (?:idea|opinión)|cambié de (?:idea|opinión)|al final no|(?:no|nunca) te (?:he )?(?:pedí|pedido|dije|dicho))",
    "(?:esque[çc][ae] (?:isso|aquilo|o que|aquel)|deixa pra lá|deixa para lá|mudei de ideia|voltei atrás|retiro o que|(?:não|nunca) (?:te )?(?:pedi|disse|falei) (?:para |pra |que )?)",
    "(?:当我没说|當我沒說|算了|收回|我没说|我沒說|我可没说|不用管我(?:刚才|之前)|改主意了|作废)",
    "(?:やっぱり?(?:なし|無し|いい|やめ|大丈夫)|忘れてください|忘れて(?:いい|ください)|撤回|取り消し(?:ます|て)|気が変わ|なかったことに|とは言って(?:い)?(?:ない|ません))",
  ].join("|"),
  "i",
);

export function isWithdrawn(text: string): boolean {
  return WITHDRAWN.test(text);
}

/** What follows the colon is a text to write, not a wish: "Add to the docs: never …". */
const DICTATED =
  /^\s*(?:(?:please|bitte|por favor|请|請|kindly)\s*)?(?:(?:add|append|insert|change|translate|document|replace|set|say|reply with|post|send|schreibe?|füge?|ergänze|ändere|übersetze?|setze?|trage?|ajoute[rz]?|écris|traduis|remplace[rz]?|change[rz]?|mets|añade|agrega|escribe|traduce|cambia|pon|adiciona|adicione|acrescente|escreva|traduza|troque|coloque)\b.*|.*(?:加一条|加一句|加上一[条句]|添加一[条句]|写上|翻译|改成|改为|追加して|書いて|翻訳).{0,12})[:：]\s*$/i;

/** The same without a colon: "write in the README that nobody pushes to main". */
const TO_WRITE =
  /^\s*(?:(?:please|bitte|por favor|s['’]il te plaît|kindly|can you|could you)[\s,]+)?(?:add|write|note|put|mention|document|state|schreibe?|ergänze|trage?|erwähne|notiere|écris|ajoute[rz]?|mentionne|indique|escribe|añade|agrega|indica|anota|escreva|adicione|acrescente|mencione)\b(?:\s+[^\s,]+){0,3}?\s+(?:in|into|to|on|dans|sur|au|à|en|al|a|em|no|na|ins?|zur?|zum|im) (?:[^\s,]+ ){0,3}?(?:readme|changelog|docs?|documentation|wiki|contributing|(?:agents|claude)\.md|handbook|guide|comment|commit message|pr description|issue|ticket|doku(?:mentation)?|anleitung|handbuch|kommentar|documentación|documentação|guía|manual|commentaire)(?:\.md)?\b[\s,]*(?:that|saying|dass|daß|que|why|how)\b/iu;

const LOG =
  /^\s*(?:\w*(?:error|exception)|warn(?:ing)?|fatal|panic|deprecat\w*|\w*erreur|\w*fehler|erro|aviso|advertencia)\b[^:：]{0,40}[:：]/i;

/** Whether the words before a colon announce a text to be written. */
export function isDictation(before: string): boolean {
  return DICTATED.test(before);
}

/** Whether a sentence is a line of a log, or gives a text to write. */
export function isForeignText(masked: string): boolean {
  if (LOG.test(masked) || TO_WRITE.test(masked)) return true;
  return [...masked.matchAll(/[:：]/g)].some(({ index }) => isDictation(masked.slice(0, index + 1)));
}
