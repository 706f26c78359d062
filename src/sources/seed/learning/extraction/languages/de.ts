import { anywhere, atEnd, atStart, counted, family, type Language, lastClause, words } from "./language.ts";

const FROM_NOW = words(`
  ab (?:jetzt|sofort|heute|nun) | von (?:jetzt|nun|heute) an | künftig | kuenftig | zukünftig | in zukunft | fortan
  (?:beim )?nächste[sn] mal | für die zukunft | für alle zukunft
`);
const ALWAYS = words(
  "immer | nie | niemals | stets | grundsätzlich | generell | prinzipiell | ausschließlich | standardmäßig",
);
const DO = words(`
  (?:be)?nutze? | verwende? | nimm | schreibe? | mache? | lass(?:e)? | führe? | prüfe? | teste? | committe? | pushe? | frage?
  antworte? | erkläre? | zeige? | formatiere? | halte? | füge? | lege? | baue? | starte? | setze? | gib | achte | vermeide? | lösche?
  ändere? | fasse? | nenne? | bleibe? | arbeite | sprich | rede | kommentiere? | dokumentiere? | installiere? | rufe? | stelle? | sage?
  bevorzuge | erstelle? | ergänze | aktualisiere? | behandle | mocke? | refaktoriere? | merge | rebase | importiere? | entferne?
  warte | melde | verzichte | beachte | kürze | fang | überschreibe? | rate | erfinde? | wiederhole? | entschuldige | duze? | sieze?
  gehe? | geh | lies | schau | räume? | trenne? | packe? | pack | verpacke | versuche? | mock | commite? | spare? | spar
`);
const NO = words("kein | keine[nrms]? | nicht mehr | nicht ohne | nicht ungefragt | nirgends");
const TOPIC = `(?:alle |jeder |neue )*${words(`
  commit-?(?:nachrichten|messages?|texte) | commits? | unit-?tests? | tests? | branch(?:es|namen?)? | (?:code-?)?kommentare? | variablen(?:namen)?
  funktionen | funktionsnamen | fehlermeldungen | doku(?:mentation)? | docs | migrationen | dateinamen | dateien | imports? | prs? | pull-?requests?
  antworten | typen | komponenten | klassen | methoden | endpunkte | logs | bezeichner | abhängigkeiten | secrets | passwörter | änderungen
  öffentliche \\p{L}+ | code | quellcode
`)}`;
const FINITE = words(
  "ist | sind | war | waren | wird | hat | hatte | gibt es | gab | kommt | passiert | schlägt | läuft | liefen | funktioniert | zeigt | fehlt | fehlen | bekomme | liefert | wirft | bricht | scheitert | steht | dauert | hängt | enthält | returned | crasht",
);
/** A sentence that reports something; what a relative clause reports is no such sentence. */
const BEFORE_RELATIVE = "(?:(?!, (?:die|der|das|den|dem|deren|welche\\p{L}*) ).)*";
const REPORTS = `${BEFORE_RELATIVE}${FINITE}`;
const INFINITIVE = "\\p{L}+(?:en|ern|eln)(?: bitte)?[.!\\s]*$";
const LANGUAGES = words("deutsch(?:e[nrms]?)? | englisch(?:e[nrms]?)? | französisch | spanisch");

export const german: Language = {
  name: "de",
  common: counted(
    `der | die | das | und | nicht | ein | eine[nrms]? | ist | ich | du | wir | mit | für | auf | immer | nie | niemals | bitte | kein | keine[nrms]? | im | in | den | dem | vor | jede[nmrs]? | ab | jetzt | statt | zu | von | bei | nach | auch | dir | dass | wenn | bevor | uns | unsere? | mach | nur | ohne | als | sind | künftig | sollen | nutze | benutze | verwende | schreib | merk`,
  ),
  lead: atStart(
    `(?:(?:${words(`
    nur | allerdings | jedoch | kleine sache | kleinigkeit | eine sache | passt soweit | ok | okay | nein | ne | nö | ja | hey | hi | also | so | und | aber | bitte | übrigens | noch was | noch etwas | noch eins | wichtig | hinweis | info
    danke | gut | super | prima | achtung | wie gesagt | wie schon gesagt | nochmals? | noch einmal | noch mal | zum letzten mal | zum (?:x|\\d+)-?ten mal
    ach | oh | nur zur info | zur info | kurze info | merke | regel | generell gilt | es gilt | mach das so | eine bitte | bitte beachten | stopp | halt
  `)})[\\s,.:;!–—-]*)+`,
  ),
  tail: atEnd("(?:,? (?:bitte|danke|ok|okay|ja))?[\\s.!;,:)–—-]*"),
  resumes: atStart(
    `${FROM_NOW}|(?:aber |und |nur )?${TOPIC} (?:bitte|immer|nie|grundsätzlich) |${words("bitte (?:immer|nie|niemals|keine?[nrm]?) | merk dir | denk d(?:a)?ran | ich (?:bevorzuge|möchte|will|mag|hasse) | wir (?:be)?nutzen | wir verwenden | hör auf | nie | niemals")}`,
  ),
  again: atStart(
    `(?:(?:nein|ok|hey|also|und|bitte|so)[\\s,]+)*(?:(?:das ist )?(?:jetzt |schon |nun )*das \\p{L}+ mal|zum (?:\\p{L}+|\\d+\\.|x-?)(?:ten)? ?mal|wie oft (?:muss|soll|habe?) ich(?: \\p{L}+){0,5}|ich (?:wiederhole(?: mich)?|sage? es (?:noch ?mal|zum letzten mal|jetzt)|sags (?:noch ?mal|zum letzten mal))|wie (?:schon |bereits |oft |mehrfach )*(?:gesagt|erwähnt|besprochen)|nochmals?|noch ?mal|noch einmal|(?:das )?hatten wir (?:doch )?schon)\\s*[,:;!?.–—-]+\\s*`,
  ),
  lasts: lastClause(
    `(?:und |also |bitte )?(?:(?:das )?gilt (?:hier )?(?:generell|immer|überall|grundsätzlich|auch (?:künftig|in zukunft)|ab (?:jetzt|sofort)|für (?:alle|alles|jede[nsr]?|das ganze)[^,.]{0,30})|(?:das )?(?:ist|bleibt) (?:bei uns |hier |so )*(?:(?:die |unsere |eine )?(?:regel|hausregel|konvention|vorgabe|richtlinie|pflicht|standard|gesetz|team-?regel))(?: hier| bei uns)?|hausregel|team-?regel|merk(?:e)? dir das(?: bitte)?|bitte merken|das bitte merken|so machen wir das (?:hier|immer|bei uns)[^,.]{0,20}|(?:das )?ist bei uns so(?: üblich)?|(?:und )?dabei bleibt(?:['’]s| es)|und zwar (?:immer|überall|grundsätzlich)|ohne ausnahme|ausnahmslos|immer|jedes ?mal)`,
  ),
  reason: anywhere(
    `,? ${words("weil | denn | sonst | ansonsten | da (?:sonst|ich|wir|das|die|der|es)")}.*$|, ${words("das (?:ist|wird|wirkt|nervt|stört|war|macht|gibt|bricht|kostet|geht|bläht|verwirrt|führt|hilft) | die (?:sind|werden) | ich (?:sehe?|lese|muss|kann|habe?|kriege?|verliere|finde) | dann (?:muss|kann|finde|sehe?)")}.*$`,
  ),
  families: [
    ...family(
      "standing",
      "pattern",
      0.9,
      `(?=.*${FROM_NOW})(?!${BEFORE_RELATIVE}${words("wird | läuft | ist | sind | hat | gibt es | kommt | heißt")})(?=.*(?:${DO}|${ALWAYS}|${NO}|${words("nur | bitte | sollst | solltest | sollen | soll | will | möchte | wir | nicht")}|${INFINITIVE}))(?:${FROM_NOW}[,:]? )?(?<rest>.+)`,
      `(?:${ALWAYS})(?! (?:noch|mehr|wieder|wenn ich|wenn wir|diese[rsnm]?|dasselbe|das gleiche|ein|der|die|das)(?!\\p{L}))(?!${REPORTS}) .+`,
      `${DO} (?:.*\\s)?(?:${ALWAYS}|${words("jedes ?mal | bei jede[mr] | vor jede[mr] | nach jede[mr] | überall | nur noch | ohne (?:zu fragen|meine|rückfrage|vorher)")})(?!.*${words("dies(?:e[nmrs]?)?")} ${words("funktion | datei | test | stelle")}).*`,
      `(?:frage?|sag|melde|warne?|prüfe?|teste?|warte) (?:\\S+ ){0,2}lieber (?:einmal|zweimal|öfter|mehr|zu)(?!\\p{L}) .+`,
      `(?:wenn|falls|sobald) (?:etwas|was|irgendwas|ein(?:e)? (?:test|build|befehl)) (?!${words("kaputt | fehlt")})[^,]+, (?:bitte |dann )*(?:sag|frag|melde|warne?|gib) .+`,
      `du (?:sollst|musst|darfst|solltest|brauchst) (?:.*\\s)?(?:${ALWAYS}|${NO}|${words("nicht | nur | jedes ?mal | bei jede[mr] | vor jede[mr] | nach jede[mr]")}).*`,
      `ich (?:habe?|hatte) (?:dir |dich |es dir )?(?:doch |schon |bereits |mehrfach |oft |öfter |mehrmals |x-mal )*(?:mal )?(?:gesagt|gebeten|geschrieben)[,:]? (?<rest>.+)`,
      `(?:frage?|sprich|warte|melde|sag)(?: (?:mich|bitte|dich|bei mir|mir|bescheid|nach|es|mit mir|auf mein ok|immer|erst|vorher|zuerst|ab))*,? bevor .+`,
      `(?:bevor|wenn|sobald|nachdem|jedes ?mal,? wenn|immer wenn|falls) du (?!diese|das |mir sagen)[^,]*, (?:dann |bitte )*(?:${DO}|${ALWAYS}).*`,
      `(?:vor|nach|bei|für|in) jede[mrns] (?:commit|push|änderung|merge|pr|release|pull|bugfix|feature|datei|aufgabe|antwort|test|refactoring|migration|funktion|schritt|neue[nrms]?)[\\p{L}-]* .+`,
      `.+ (?:vor|nach|bei) jede[mrn] (?:commit|push|änderung|merge|pr|release|refactoring|bugfix|schritt|edit)[\\p{L}-]*(?: .+)?`,
      `(?:nicht|nichts|niemals|nie) (?:.*\\s)?(?:ohne|ungefragt|bevor).*`,
      `(?:für|bei|in|vor|nach|zu|beim|im|vorm|pro) (?!${words("dies(?:e[nmrs]?)?")})(?!${REPORTS}).+ ${ALWAYS} .*${INFINITIVE}`,
      `${NO} (?!${REPORTS})(?!.*${words("gefunden | nötig | notwendig | vorhanden | möglich | übrig | ahnung | sorge | probleme? | zeit | stress | eile | wunder | plan | idee | frage | angst | lust | chance | unterschied | grund | bedarf | fehler | änderungen? | antwort | wirkung | treffer | ergebnisse? | warnungen | rückmeldung | tests?(?=[.!]*$)")})\\S+(?: \\S+){0,3}[.!\\s]*$`,
      `${NO} (?!${REPORTS})(?!.*${words("gefunden | nötig | notwendig | vorhanden | möglich | übrig | ahnung | sorge | problem | zeit | stress | eile | wunder | plan | idee | frage | angst | lust | chance | unterschied | grund | bedarf | fehler | änderungen?$ | antwort | wirkung")}).*(?:${INFINITIVE}|${words("in | im | bei | auf | für | ohne | außer | mehr | bitte | als | von | mit | und | oder")}.*)`,
      `${DO} (?:mir |bitte |mich |dich |uns |dabei |den code )*${NO} (?!${words("dies(?:e[nmrs]?)?")}).+`,
      `${DO} (?!.*${words("dies(?:e[nmrs]?)?(?! (?:projekt|repo|repository))")}).* ${words("auf")} ${LANGUAGES}.*`,
      `(?!${words("warum | wieso | weshalb | was | wie | wo | wann | wer")})\\S+(?: \\S+){0,3} \\p{L}+st du (?:\\S+ )?(?:${ALWAYS}|${NO}).*`,
      `(?:wenn|falls|sobald) (?:dir )?(?:etwas|was|irgendwas|du dir) (?:unklar|unsicher|nicht klar|nicht sicher|fehlt|zweifelhaft)[^,]*, .+`,
      `(?:mir ist|es ist mir|für mich ist|wichtig ist(?: mir)?) (?:sehr |besonders |es )?(?:wichtig)?,? ?dass .+`,
      `(?:rate|vermute|erfinde|spekuliere|schätze) (?:bitte )?(?:nie|nicht|nichts|keine)(?:,| ).*`,
      `${DO} (?:bitte |mir )?nichts (?!${words("davon | daran | dazu")}).*`,
      `du (?:kannst|brauchst|musst|darfst) (?:dir |mir |bitte )*(?:.* (?:sparen|weglassen|überspringen)|.* nicht (?:erklären|zusammenfassen|wiederholen|bestätigen)|gern(?:e)? weglassen).*`,
      `(?:lass|finger) (?:bitte )?(?:die finger |immer )?(?:von|weg von) (?:der |den |dem |die |das )?\\S+.*`,
      `${DO} (?:.*\\s)?(?:überall|höchstens|maximal|mindestens|durchgehend|durchgängig|einheitlich|konsequent|nach dem schema|im format|nach dem muster)(?!\\p{L}).*`,
      `(?:benenne|nenne|formatiere|dokumentiere|kommentiere|schreibe?|sortiere|strukturiere|erkläre?|beschreibe) (?:mir |bitte |alle |neue |deine )*${TOPIC} (?!.*${words("für | dies(?:e[nmrs]?)?")}).+`,
      `.+ bitte (?:sein lassen|weglassen|lassen|vermeiden|unterlassen)[.!\\s]*`,
      `(?:erst|zuerst) \\S+(?: \\S+){0,2}, dann \\S+(?: \\S+){0,2}[.!\\s]*`,
      `(?:sprich|rede) mich .+`,
      `(?:mir )?(?:reichen|reicht|genügen|genügt) (?:mir )?.+`,
      `(?:kürzere|kurze|knappe|kleine|kleinere|weniger|mehr) (?:antworten|commits|kommentare|erklärungen|zusammenfassungen|prs|funktionen|emojis)(?:[ ,.!].*|$)`,
      `(?:um|für) (?:den|die|das) .+ kümmere ich mich(?: selbst)?.*`,
      `(?:den|die|das) .+ (?:pflege|schreibe|mache|aktualisiere|prüfe|führe|merge|pushe) ich (?:immer )?(?:selbst|selber|von hand|manuell).*`,
      `lass (?:mir )?(?:die|den|das) \\S+ (?:in ruhe|unangetastet|unberührt).*`,
      `(?:\\S+ ){1,3}(?:vor|geht vor|statt|über) \\S+(?: \\S+)?, immer.*`,
      `(?:wir haben uns|wir sind|wir setzen) (?:auf|für) .+ (?:geeinigt|festgelegt|umgestiegen|entschieden).*|wir setzen (?:voll |überall |nur )?auf .+`,
      `(?:du )?(?:vergisst|machst|benutzt) (?:ständig|dauernd|jedes ?mal) .+`,
      `es nervt(?: mich)?,? (?:wenn|dass) du .+`,
      `denke? (?:bitte |immer )+an .+`,
      `(?:das (?:will|möchte|mag) ich nicht,? )?(?:frag|frage|sprich) (?:mich|das|das mit mir|mit mir|bitte|immer|da)(?: \\S+){0,3} (?:vorher|erst|zuerst|ab)(?: .*)?`,
      `(?:bevor|ehe|wenn|falls|sobald) du [^,:]+[,:] (?:.*\\s)?(?:möchte ich|will ich|brauche ich|sag|frag|zeig|${DO}|${NO}|nicht|erst|zuerst|immer|nie|nur).*`,
      `(?:.+ )?(?:nicht ohne|nur nach|nur mit|erst nach|ohne) (?:mein(?:e|em|er|en)?|vorherige[rn]?|ausdrückliche[rn]?) (?:ok|okay|zustimmung|freigabe|absprache|rücksprache|erlaubnis|einverständnis|go|wissen)(?: .*)?`,
      `(?:.+ )?(?:nur nach|nicht ohne|erst nach|vorher) (?:rücksprache|absprache|freigabe)(?: .*)?`,
      `(?:die|den|das|deine?[nr]?|eine?n?|diese ganzen|\\S+) (?:.*\\s)?(?:brauche|will|möchte|benötige|lese) ich (?:nicht|nie|nirgends)(?: (?:mehr|sehen|haben|lesen))*[.!\\s]*`,
      `(?:\\S+ ){1,4}(?:brauche|will|möchte|lese) ich (?:wirklich |echt |gar |überhaupt )*nicht(?: (?:mehr|sehen|haben|lesen))*[.!\\s]*`,
      `(?:lass|lasst|spar dir|schenk dir|erspar mir) (?:bitte |mal |doch |endlich )*(?:die|den|das|deine?n?|diese|solche|jegliche) (?!${words("test | tests | server | build | datei | funktion | branch | rest")})(?:\\S+ ){1,4}?(?:weg|sein|bleiben|raus|künftig)(?:[ ,.!].*|$)`,
      `(?:spar dir|erspar mir|verschone mich mit) .+`,
      `(?:pro|je) (?:commit|pr|pull request|datei|klasse|test|branch|ticket|feature) (?:nur |genau |immer |höchstens |maximal )*eine?n? .+`,
      `(?:eine?) (?:commit|pr|pull request|datei|klasse|test|branch) (?:pro|=|je) .+`,
      `finger weg von .+`,
      `(?:kannst|könntest|würdest) du (?:bitte |mal |endlich |damit )*(?:aufhören,? .+ zu \\p{L}+|.+ (?:sein lassen|bleiben lassen|weglassen|lassen)).*`,
      `gewöhn(?:e)? dir (?:bitte )?(?:an|ab),? .+`,
      `erkläre?(?: mir| uns| bitte)* (?:dinge|sachen|alles|code|konzepte|so etwas|immer)(?: \\S+)* (?:mit|anhand|ohne|in|so|wie) .+`,
      `ich (?:pflege|schreibe|mache|aktualisiere|führe|merge|pushe|committe|release|deploye|prüfe) (?!${words("jetzt | gerade | heute | noch")}).+ (?:selbst|selber|von hand|manuell|immer)[.!\\s]*`,
      `wir \\p{L}+en (?:.*\\s)?(?:in allen|in jedem|in jeder|bei allen|in sämtlichen|überall)(?!\\p{L}).*`,
      `(?:statt|anstatt|anstelle von) .+ (?:nehmen|nutzen|verwenden|schreiben|benutzen) wir .+`,
      `(?:alles|nichts) (?:in|unter|unterhalb von) \\S+ (?:ist|wird|muss|darf|soll|bleibt) (?!${words("kaputt | weg | leer | langsam | falsch")}).+`,
      `(?:\\S+ ){1,4}(?:laufen|läuft|gehen|geht|kommen|kommt|liegen|liegt|gehören|gehört|werden|wird|schreiben|machen|heißen|heißt|haben|bekommen|sind|ist|stehen|steht) (?:bei uns|hier|in diesem (?:repo|projekt)) (?:\\S+ )?(?:immer|nur|ausschließlich|nie|niemals|grundsätzlich|stets|auf|in|über|unter|neben|mit|als|direkt|per|kein|keine)(?: .*)?`,
      `(?:\\p{L}[\\p{L}-]*(?:e|en|s|n|ungen|träge|namen|felder|zeiten)) (?:sind|kommen|gehören|stehen|heißen|schreiben sich|bekommen|beginnen) (?:immer |bei uns |hier |nur |stets )*(?:in|auf|als|mit|unter|neben|im|am|ein|einen|\\p{Lu}\\S+), (?:nie|niemals|nicht|kein|keine|ohne) .+`,
      `(?:antworte?|schreibe?|erkläre?|fasse? dich|halte? dich|formuliere?) (?:bitte |mir |etwas |deutlich |viel |immer )*(?:kürzer|knapper|kurz|knapp|ausführlicher|einfacher|direkter|sachlicher)(?:[ ,.!].*|$)`,
      `hör(?:e)?(?: bitte| endlich| doch| mal)* auf(?: damit)?,? .+ zu \\p{L}+.*|hör(?:e)?(?: bitte| endlich| doch| mal)* auf mit .+`,
    ),
    ...family(
      "preference",
      "pattern",
      0.85,
      `ich (?:finde|lese|schreibe|arbeite|nutze|nehme) .+ (?:besser|lieber|angenehmer|übersichtlicher|lesbarer) als .+`,
      `ich bin (?:eher |mehr |kein |kein großer )*(?:der typ|fan von|freund von|ein freund) .+`,
      `(?:bei|für|in) (?!${words("dies(?:e[nmrs]?)?(?! (?:projekt|repo))")})[^,]+ (?:bevorzuge|mag|möchte|will|hätte) ich (?:lieber |gern(?:e)? |immer |nur )*.+`,
      `ich (?:bevorzuge|hasse|mag|liebe)(?! (?:das|diese[nrs]?|es so|die (?:erste|zweite)|variante|option|dein)(?!\\p{L}))(?! (?:den|die|das|deine?n?) (?:erste|zweite|neue|alte|lösung|idee|variante|ansatz|vorschlag|version|farbe|name|namen|stelle)) .+`,
      `ich (?:habe?|hätte|sehe|lese|arbeite|nutze|benutze|verwende) (?:es )?(?:am liebsten|lieber|gerne?|immer|nur|grundsätzlich|kein|keine[nr]?)(?! (?:das|diese[nrs]?)).* .+`,
      `ich (?:will|möchte|wünsche mir|erwarte|brauche)(?: bitte)? (?:.*\\s)?(?:${ALWAYS}|${NO}|${words("nicht,? dass | bei jede[mr] | vor jede[mr] | jedes ?mal | nicht mehr")}).*`,
      `ich (?:will|möchte) (?:nicht|nie),? (?:dass|mehr).*`,
      `mir (?:ist|sind) .+ (?:lieber|wichtig(?:er)?)(?: .+)?`,
      `(?:lieber|besser|bevorzugt) .+ (?:als|statt|anstatt) .+`,
      `mein(?:e)? (?:editor|shell|muttersprache|sprache|name|betriebssystem|zeitzone|stil|terminal|tastatur\\p{L}*|bevorzugte[rs]? \\p{L}+) (?:ist|heißt|sind) .+`,
      `${DO} (?:bitte |doch |lieber )*(?!${words("dies(?:e[nmrs]?)? | den | die | das | der | mal | hier")})\\S+(?: \\S+){0,3},? (?:statt|anstatt|anstelle(?: von)?|und nicht|nicht|lieber als) (?!${words("dies(?:e[nmrs]?)? | den | die | das | der | hier | mehr")}).+`,
      `(?:statt|anstatt|anstelle von) \\S+(?: \\S+)? (?:bitte |immer |lieber )*\\S+(?: \\S+)? (?:verwenden|nutzen|benutzen|nehmen|schreiben)[.!\\s]*`,
      `\\S+(?: \\S+)? (?:statt|anstatt|anstelle(?: von)?) \\S+(?: \\S+)? (?:verwenden|nutzen|benutzen|nehmen|schreiben)[.!\\s]*`,
      `(?:halte?|fasse?) (?:dich|deine antworten|antworten|commits|funktionen|erklärungen|zusammenfassungen|prs|es) (?:bitte |immer |möglichst )*(?:kurz|klein|knapp|kürzer|einfach|schlank).*`,
      `(?:vermeide|verzichte auf|achte (?:immer )?(?:darauf|auf)|behandle) (?!${words("dies(?:e[nmrs]?)? | das | den | die")}).+`,
    ),
    ...family(
      "convention",
      "insight",
      0.85,
      `(?:in|bei|für) (?:diesem|unserem|dem|unserer|der|dieser) (?:ganzen |gesamten )?(?:projekt|repo|repository|codebasis|code-?base|team|firma|monorepo|workspace|uns)\\p{L}*,? .*${words("wir | man | immer | nie | niemals | kein | keine[nr]? | nur | gilt | gelten | bitte | nutze | benutze | verwende")}.*`,
      `(?:hier|bei uns|im team|im projekt),? (?:bitte |gibt es )?(?:nie|niemals|nur|immer|keine) \\p{L}+(?:s|en|n|e)[.!\\s]*$`,
      `bei uns (?:gehören|liegen|kommen|stehen|laufen|machen|sind|ist|werden|gilt) (?!${words("gerade | jetzt | heute")}).+`,
      `(?:bei uns|hier|im team|intern) (?:be)?(?:nutzen|verwenden|nutzen|schreiben|committen|arbeiten|testen|deployen|mergen|formatieren|gilt|gelten|heißt|heißen) .+`,
      `wir (?:be)?(?:nutzen|verwenden|schreiben|committen|arbeiten|testen|deployen|mergen|rebasen|squashen|formatieren|linten|setzen|pushen|dokumentieren|benennen|mocken|halten|folgen|legen|machen|sprechen|bauen|releasen|taggen|reviewen|speichern) (?!${words("jetzt | gerade | heute | das | dies(?:e[nmrs]?)?(?! (?:projekt|repo))")})(?:.*${words("hier | immer | nie | niemals | kein | keine[nrms]? | nur | statt | anstatt | ausschließlich | nicht | für | uns | als | mit | in (?:diesem|unserem|jedem) (?:projekt|repo|repository|team) | grundsätzlich | nach | auf")}.*|\\S+(?: \\S+)?[.!\\s]*$)`,
      `(?:für|bei|in|auf|vor|zu|im|beim) (?!${words("dies(?:e[nmrs]?)?(?! (?:projekt|repo))")}).+ (?:verwenden|nutzen|benutzen|schreiben|machen|setzen|nehmen|gilt|gelten) (?:wir|bei uns|immer|nur) .+`,
      `${TOPIC} (?:schreiben|halten|benennen|machen|committen|legen|formatieren|dokumentieren|mergen) wir .+`,
      `ich (?:arbeite|entwickle|bin|sitze) (?:unter|auf|mit|an einem) (?:windows|mac\\p{L}*|linux|ubuntu|wsl|powershell|vim|neovim|emacs|vs ?code|jetbrains|einem mac)\\p{L}*.*`,
      `unsere? (?!${words("letzte[nr]? | aktuelle[nr]?")})(?:.*\\s)?(?:konvention|regel|standard|stil|richtlinie|\\p{L}*konvention|\\p{L}*nachrichten|commits|tests|branches|code)(?:en)? (?:ist|sind|sollen|müssen|lautet|folgen|heißen|beginnen|folgt) .+`,
      `${TOPIC} (?:bitte |grundsätzlich |immer |nie |niemals |nur |stets )*(?:${words("immer | nie | niemals | nur | sollen | sollten | müssen | gehören | dürfen | heißen | auf | ohne | im imperativ | kommen | stets | beginnen | bitte | nicht | brauchen | werden (?:immer|nie|nicht|nur|bei uns)")}).*`,
      `.+ (?:ist|sind) (?:\\S+ ){0,5}(?:verboten|tabu|nicht erlaubt|nicht gestattet|pflicht|unerwünscht)(?: .*)?[.!\\s]*`,
    ),
    ...family(
      "remember",
      "self_knowledge",
      0.9,
      `(?:merke? dir|notiere? dir|behalte? im kopf|denke? (?:bitte |immer )?d(?:a)?ran|vergiss (?:bitte )?nicht|beachte|bedenke|erinnere dich(?: daran)?|zur erinnerung|nicht vergessen)(?: bitte| also| für (?:die zukunft|später|das nächste mal))*[,:]? (?:dass (?<rest>.+)|(?=.*${ALWAYS}).+)`,
      `(?:merke? dir|notiere? dir|zur erinnerung|denke? (?:bitte )?d(?:a)?ran)(?: bitte| für (?:die zukunft|später))?[:,] (?<rest>(?!das |diese).+)`,
    ),
  ],
  question: atStart(
    words(`
    (?:sage?|erkläre?|zeige?|schau|prüfe?)(?: mir| mal| bitte| nach| uns)*,? (?:warum|wieso|weshalb|was|wie|wo|ob|welche[rs]?|woran) | warum | wieso | weshalb | was | wie (?!gesagt) | wo | wer | wann | welche[rnsm]? | (?:kannst|könntest|würdest)(?! du (?:bitte |mal |endlich |damit )*(?:aufhören|.+ (?:sein lassen|weglassen))) | kann | sollen wir | sollten wir | soll ich | sollte ich
    ist | sind | gibt es | hast | machst | (?:be)?nutzt du | verwendest | können wir | würdest | darf | muss ich | müssen wir | magst | wird | hat | haben wir | brauchen wir | willst
  `),
  ),
  supposed: anywhere(
    words(`
    vielleicht | eventuell | evtl | möglicherweise | könnten? | könntest(?! du (?:bitte |mal |endlich )*aufhören) | angenommen | ich glaube | ich vermute | wahrscheinlich | vermutlich | anscheinend
    offenbar | scheint | zum beispiel | z\\. ?b | theoretisch | ich frage mich | nicht sicher | würden? (?!gern|lieber) | was wenn | falls (?!du) | wäre (?!schön|gut|toll|nett|lieb|es mir) | mal schauen | keine ahnung
  `),
  ),
  oneOff: anywhere(
    words(`
    diesmal | dieses mal | dieses eine mal | heute(?! an) | (?<!ab |von )jetzt | gerade | vorerst | erstmal | erst mal | fürs erste | im moment | momentan | aktuell | zurzeit | noch (?:kein|keine|nicht)
    bis (?:morgen|montag|freitag|zum|auf weiteres|ich|wir|das|die|der|nächste) | morgen | gestern | dafür | hierfür | hiermit | oben | unten | ausnahmsweise | vorhin | eben
    (?:in |für |an |bei |mit |aus |auf |von )?(?:diese[nmrs]?|der aktuellen|dem aktuellen|den aktuellen|der nächsten|dem letzten|der letzten|den letzten|die letzte|der neuen|dem neuen) (?:neuen |einen )?(?:prs?(?!\\p{L})|mr(?!\\p{L})|pull|commit|commits|datei|dateien|funktion|methode|klasse|test|tests|aufgabe|branch|feature|bug|fix|ticket|issue|schritt|stelle|zeile|fall|änderung|refactoring|migration|release|skript|befehl|fehler|session|sitzung|woche|endpunkt|modul|komponente|seite)[\\p{L}-]*
    option \\d | variante \\d | schritt \\d | zeile \\d+ | weiter mit | anschließend | danach | als nächstes | zuerst mal
  `),
  ),
  others: anywhere(
    words(`
    (?:er|sie|kunde|kundin|chef|chefin|kollege|kollegin|kollegen|reviewer|doku|dokumentation|readme|linter|compiler|copilot|cursor|jemand|team|product owner|nutzer|user|kunden|leute|viele|manche|die meisten|man|vorgesetzter|claude\\.md|agents\\.md|artikel|blog\\p{L}*|tutorial) (?:hat |haben |wollte |immer |auch |mir |mal |doch )*(?:sagt|sagte|sagen|meint|meinte|will|wollen|möchte|möchten|schreibt|schrieb|empfiehlt|empfehlen|gesagt|findet|behauptet|geschrieben|verlangt|bevorzugt|bevorzugen|schlägt vor|fordert|rät|mag)
    (?<=^\\s*)(?!ich |wir |du )\\p{L}+ (?:will|möchte|meint|sagt|wünscht sich|findet|verlangt|fordert),? dass
    laut | steht in | heißt es | angeblich | soll angeblich | in der doku steht | dem artikel zufolge
  `),
  ),
  pointers: anywhere(
    `(?<!^ich (?:mag|hasse) )(?:${words("so etwas | sowas | so was | davon | dabei | daran | dies | jenes | dasselbe | das gleiche | genauso | das da | das hier | deshalb | deswegen")}|${words("das")}(?= (?:nie|nicht|immer|so|bitte|auch|wieder|mal|künftig|nochmal|niemals|nie wieder|noch)(?!\\p{L})|[.!,]|$)|${words("(?<!mag |hasse )es | ihn | sie | ihm")} (?:nie|immer|so|nicht|bitte|wieder)(?!\\p{L}))`,
  ),
  statements: anywhere(
    words(
      "(?:soll|sollen|muss|müssen|darf|dürfen) .*(?:sichtbar|angezeigt|sortiert|ausgeblendet|erscheinen|gerundet|geladen)\\p{L}* | (?:nutzer|benutzer|anwender|kunden|besucher)\\p{L}* (?:dürfen|müssen|sollen|können|sehen) | mussten | durften | alte[nr]? (?:firma|team|projekt|job|arbeitgeber) | ex-\\p{L}+ | früher | bisher | bislang | damals | letztes mal | man (?:sollte|soll|muss|darf|kann) | während (?:der|des|dieser) | (?:die|der|das|jede[rs]?|eine?) (?:funktion|methode|api|endpunkt|server|button|seite|komponente|nutzer|user|benutzer|anwendung|app|tabelle|feld|abfrage|skript|job|cache|dialog|formular|liste|menü|passwort|antwort|client|service)\\p{L}* (?:soll|sollte|muss|darf|kann|gibt|liefert|hat|ist) | weil | da wir | denn | immer noch | nach wie vor | immer wieder | schlägt .*fehl | noch nie | nie (?:aufgerufen|gelesen|benutzt|verwendet|erreicht|gesetzt|ausgeführt|gesehen|wieder etwas) | du (?:hast|bist) | kein(?:e)? (?:problem|sorge|ahnung)",
    ),
  ),
};
