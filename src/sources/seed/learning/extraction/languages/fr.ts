import { anywhere, atEnd, atStart, counted, family, type Language, lastClause, words } from "./language.ts";

const FROM_NOW = words(`
  à partir de maintenant | à partir d['’]aujourd['’]hui | à partir de là | désormais | dorénavant | à l['’]avenir | dès maintenant | dès à présent
  la prochaine fois | les prochaines fois | pour la suite | par la suite | pour l['’]avenir
`);
const ALWAYS = words(
  "toujours | jamais | systématiquement | chaque fois | à chaque fois | uniquement | exclusivement | par défaut | en règle générale",
);
const DO = words(`
  utilise[rz]? | emploie | employer | écris | écrire | écrivez | fais | faire | faites | lance[rz]? | exécute[rz]? | vérifie[rz]? | teste[rz]? | commit(?:e[rz]?)? | pousse[rz]?
  demande[rz]? | réponds | répondre | répondez | explique[rz]? | montre[rz]? | formate[rz]? | garde[rz]? | ajoute[rz]? | mets | mettre | mettez | évite[rz]? | supprime[rz]?
  modifie[rz]? | touche[rz]? | nomme[rz]? | reste[rz]? | parle[rz]? | commente[rz]? | documente[rz]? | installe[rz]? | appelle | privilégie[rz]? | préfère[rz]? | crée[rz]?
  traite[rz]? | laisse[rz]? | arrête[rz]? | cesse[rz]? | propose[rz]? | suis | suivre | prends | prendre | place[rz]? | range[rz]? | importe[rz]? | mocke[rz]? | fusionne[rz]? | rebase[rz]?
  attends | attendre | préviens | prévenir | signale[rz]? | sois | soyez | limite[rz]? | passe[rz]? | respecte[rz]? | assure-toi | assurez-vous | pense[rz]? | tutoie | vouvoie | résume[rz]? | pose[rz]? | dis | dites | suggère[rz]? | choisis | essaie | corrige[rz]? | relis | renomme[rz]? | sépare[rz]? | décris | indique[rz]? | justifie[rz]? | cite[rz]? | donne[rz]? | explicite
`);
const TOPIC = `(?:tous |toutes |chaque |nos |les )*${words(`
  messages? de commits? | commits? | tests?(?: unitaires)? | branches? | noms? de (?:branches?|variables?|fonctions?|fichiers?) | commentaires? | variables? | fonctions? | messages? d['’]erreur | documentation | docs? | migrations?
  fichiers? | imports? | prs? | pull requests? | réponses? | types? | composants? | classes? | méthodes? | endpoints? | logs? | dépendances? | secrets? | identifiants? | code
`)}`;
const NEVER = words("ne | n['’]");
const IT = words("ce | cette | cet | ces | cela | ça");

export const french: Language = {
  name: "fr",
  common: counted(
    `desormais | c | le | la | les | des | que | en | ne | pas | une | un | pour | par | avec | toujours | jamais | de | du | et | tu | je | il | on | nous | dans | sur | au | aux | avant | chaque | plus | sans | mes | tes | ce | cette | moi | désormais | utilise | utiliser | préfère | n | d | l | qu`,
  ),
  lead: atStart(
    `(?:(?:${words(`
    par contre | en revanche | juste | sinon | petit détail | c['’]est mieux | c['’]est bon | nickel | impec | top | allez | ok | okay | non | oui | hé | hey | salut | alors | bon | bien | et | mais | aussi | stp | svp | s['’]il te plaît | s['’]il te plait | s['’]il vous plaît | au fait | d['’]ailleurs | note | important | rappel | merci | super | parfait
    encore une fois | comme je l['’]ai dit | je répète | je te l['’]ai dit | attention | en général | pour info | donc | une chose | autre chose | règle | de rien | ah | oh | dernière chose | pour rappel
  `)})[\\s,.:;!–—-]*)+`,
  ),
  tail: atEnd(
    "(?:,? (?:s['’]il te plaît|s['’]il te plait|s['’]il vous plaît|stp|svp|merci|ok))?[\\s.!;,:)–—-]*",
  ),
  resumes: atStart(
    `${FROM_NOW}|${words("je préfère | j['’]aimerais | souviens-toi | retiens | n['’]oublie pas | ne .* jamais | utilise toujours | évite | on utilise | nous utilisons | toujours | ne .* plus")}`,
  ),
  again: atStart(
    `(?:(?:non|ok|bon|et|mais|alors|hé)[\\s,]+)*(?:pour la \\p{L}+ fois|combien de fois (?:dois-je|faut-il|je dois|il faut)(?: \\p{L}+){0,5}|je (?:te |vous )?(?:le )?répète|je me répète|encore une fois|comme (?:déjà |je (?:te )?l['’]ai (?:déjà )?)(?:dit|demandé|mentionné)|on en a déjà parlé|je l['’]ai déjà dit)\\s*[,:;!?.–—-]+\\s*`,
  ),
  lasts: lastClause(
    `(?:et |donc |s['’]il te plaît,? |stp,? |merci,? )*(?:retiens-le|retiens ça|retiens bien|note-le|souviens-t['’]en|garde-le en tête|garde ça en tête|mets-toi ça en tête|c['’]est (?:la|une|notre) (?:règle|convention|consigne|norme|politique)(?: (?:ici|de la maison|de l['’]équipe|du projet|chez nous))?|règle (?:de la maison|d['’]équipe|maison)|c['’]est comme ça (?:ici|chez nous|qu['’]on fait)[^,.]{0,20}|ça vaut (?:pour (?:tout|tous|toutes|chaque)[^,.]{0,30}|partout|toujours|aussi pour la suite)|(?:valable )?partout|sans exception|merci de t['’]y tenir|et ce,? (?:toujours|partout)|à chaque fois|par principe)`,
  ),
  reason: anywhere(
    `,? ${words("parce que | parce qu | donc | car | sinon | vu que | puisque")}.*$|, (?:c['’]est (?!moi)|ça (?:ne |me |n['’]|casse|pollue|fait|évite|devient|rend)|je (?:vois|sais|lis|n['’]|ne) ?|on (?:s['’]y|ne s['’]y) ).*$`,
  ),
  families: [
    ...family(
      "standing",
      "pattern",
      0.9,
      `(?=.*${FROM_NOW})(?!.*${words("(?<!c['’])est | sera | tourne | fonctionne | a été | expire | sont (?!au format|en|à|écrit|dans|au)")})(?!.*\\+ ?\\d)(?=.*(?:${DO}|${ALWAYS}|${words("ne | n['’] | je veux | je voudrais | j['’]aimerais | tu dois | il faut | on | pas de | plus de | aucune? | sans | uniquement | au format | c['’]est | vont | passent | passe par | sont")}|n['’]))(?:${FROM_NOW}[,:]? )?(?<rest>.+)`,
      `(?:toujours|systématiquement) (?!${words("le même | la même | pas | rien | en | un | une | aussi")})${DO} .+`,
      `toujours (?:des|un|une|avec|en|les) (?!${words("même | mêmes")}).+`,
      `(?:jamais|plus jamais) (?:de |d['’]).+`,
      `${NEVER} ?(?:\\p{L}+['’])?\\p{L}+ (?:\\S+ ){0,2}?(?:jamais|plus jamais|plus)(?!\\p{L}).+`,
      `${DO}(?:-\\p{L}+)* (?:.*\\s)?${ALWAYS}(?! (?:la même erreur|le même))(?: .*)?`,
      `(?:tu dois|vous devez|il faut|tu devrais|il ne faut|tu ne dois|veille à|veillez à|assure-toi de|assurez-vous de|fais attention à|pense à|pensez à) (?:.*\\s)?${ALWAYS}.*`,
      `(?:tu ne dois|il ne faut|tu n['’]as) (?:jamais|pas|plus|pas besoin|pas à).+`,
      `(?:je t['’]ai (?:déjà )?(?:dit|demandé)|je vous ai (?:déjà )?(?:dit|demandé)|je te l['’]ai déjà dit)(?: mille fois| plusieurs fois| cent fois)?[,:]? (?:que |qu['’])?(?<rest>(?:de |d['’]).+|.+)`,
      `(?:demande[rz]?|vérifie|préviens|consulte|attends)(?:-moi|-nous)?(?: toujours| d['’]abord| mon accord| ma validation| ma confirmation| mon feu vert)* avant (?:de |d['’]|que |toute? |chaque ).+`,
      `(?:quand|lorsque|chaque fois que|à chaque fois que|dès que|si) tu (?!veux|peux)[^,]*, (?:.*\\s)?(?:${DO}|${ALWAYS}|pense à|n['’]oublie pas|il faut).*`,
      `(?:avant|après) (?:de |d['’])(?!${words("faire ça")})[^,]+, (?:.*\\s)?(?:${DO}|${ALWAYS}|n['’]oublie pas|il faut).*`,
      `(?:avant|après|à|pour) (?:chaque|tout|toute) (?:commit|push|modification|changement|merge|pr|release|tâche|fichier|réponse|pull|correction|nouvelle?|bug|fonctionnalité|migration|refactoring|étape)[\\p{L}-]*,? .+`,
      `.+ (?:avant|après|à) (?:chaque|tout|toute) (?:commit|push|modification|changement|merge|pr|release|étape|refactoring|pull request)(?: .+)?`,
      `ne (?:\\p{L}+['’])?\\p{L}+ (?:pas|rien|aucune?) .*(?:sans (?:me |mon |ma |demander|permission|accord|autorisation|que je)|avant que je).*`,
      `(?!${words("pourquoi | comment | quand")}).+, tu (?:les |le |la |l['’])?\\p{L}+ ${ALWAYS}.*`,
      `(?:si|quand|dès que) (?:quelque chose|un point|un truc|tu n['’]es pas|un détail|tu hésites)[^,]*, .+`,
      `(?:c['’]est|il est) (?:très |vraiment )?important (?:pour moi )?(?:que |de |d['’]).+`,
      `ne (?:devine|suppose|présume|spécule|invente)[rz]? (?:pas|rien|jamais)(?:,| |[.!]|$).*`,
      `n['’]invente[rz]? (?:pas|rien|jamais)(?:,| |[.!]|$).*`,
      `n['’](?:installe|ajoute|écris|exécute|utilise|efface|importe)[rz]? (?:rien|pas|plus|aucune?) (?!${IT})(?!${words("pour (?:ça|cela) | le | la")}).+`,
      `ne (?:touche|modifie|change|édite)[rz]? (?:pas|jamais|plus|rien) (?:à |au |aux |le |la |les )?(?:fichiers? (?:générés?|vendorisés?|de lock)|\\S+\\.\\p{L}+|dossier \\S+).*`,
      `tu peux (?:te passer|t['’]abstenir|te dispenser|sauter|omettre|éviter) .+`,
      `${DO}(?:-\\p{L}+)* (?!.*${IT})(?:.*\\s)?(?:partout|au maximum|maximum|au plus|au moins|sans exception|selon le schéma|au format|de façon cohérente)(?!\\p{L}).*`,
      `(?:nomme[rz]?|formate[rz]?|documente[rz]?|commente[rz]?|écris|rédige[rz]?|trie[rz]?|explique[rz]?) (?:-moi )?(?:toujours |tous |toutes |tes )*${TOPIC} (?!.*${IT})(?!.*${words("pour (?:le|la|les|l)")}).+`,
      `(?:tutoie|vouvoie)-moi.*`,
      `(?:des |plus de |moins de )(?:réponses|commits|commentaires|explications|résumés|fonctions|emojis) .*`,
      `(?:le|la|les|l['’]) ?.+,? (?:c['’]est moi qui|je m['’]en occupe|je (?:le|la|les) (?:gère|maintiens|fais|mets à jour) (?:moi-même|à la main)).*`,
      `laisse[rz]? (?:le|la|les|l['’]) ?\\S+ (?:tranquilles?|tel quel|intacte?s?).*`,
      `(?:on s['’]est mis d['’]accord|nous avons décidé|on a décidé|on a choisi|on a standardisé) .+`,
      `tu (?:oublies|continues|n['’]arrêtes pas) (?:tout le temps |sans cesse |toujours |encore )?(?:de |d['’]|à ).+`,
      `ça m['’](?:énerve|agace) (?:quand|que) tu .+`,
      `(?:il faut|tu dois|merci de|veille à|pense à|prière de) (?!${IT}|${words("corriger | regarder | ajouter | changer")}).*${words("avant de | avant d | après avoir | à chaque | pour chaque | sans")}.*`,
      `(?:merci )?de (?:ne (?:pas|plus|jamais)|toujours) .+`,
      `(?:chaque fois que|à chaque fois que|quand|lorsque) tu (?!${IT})[^,:]+[,:] (?!${words("il | elle | ça | ce | on | le | la | les | ils")}|c['’]|j['’]).+`,
      `(?:quand|lorsque|si|dès que|chaque fois que|avant que) tu [^,:]+[,:] (?:.*\\s)?(?:${DO}|pose-moi|demande-moi|dis-moi|préviens-moi|montre-moi|${ALWAYS}|au lieu|plutôt|il faut|je veux|ne |n['’]).*`,
      `(?:.+ )?sans (?:m['’]en parler|me (?:demander|prévenir|consulter|le dire)|mon (?:accord|feu vert|ok|aval)|ma (?:validation|permission))(?: .*)?`,
      `tu (?:peux|pourrais) (?:stp |s['’]il te plaît )?arrêter (?:de |d['’]|avec ).+`,
      `(?:prends|garde) l['’]habitude (?:de |d['’]).+`,
      `explique-moi (?:les choses|tout|les concepts|toujours) .+`,
      `(?:les|tous les|toutes les) (?:nouveaux |nouvelles )?${TOPIC}(?: \\S+){0,2} (?:ont|doivent|portent|passent|sont|partent|commencent|vont|restent|finissent) (?:toujours|jamais) .+`,
      `(?:une?|chaque) \\S+(?: \\S+)? = (?:une? )?.+`,
      `(?:une? seule?|un seul) (?:\\S+ ){1,2}par (?:pr|commit|fichier|classe|test|branche|pull request|fonction|migration)(?: .*)?`,
      `(?:tous |toutes )?(?:les|nos|tes|chaque) ${TOPIC}(?: \\S+){0,4}? (?:sont|est|vont|va|restent|reste|s['’]écrivent|se (?:nomment|font|lancent|mettent|rangent|trouvent)|commencent|passent|portent|suivent|ont|prennent|contiennent|utilisent|doivent|doit) (?!${words("cassée?s? | rouges? | verte?s? | lente?s? | échouée?s? | en échec | en erreur | en panne | toujours | passé | pas")})(?:toujours |jamais |uniquement |tous |au |en |à |dans |avec |par |sous |sans |un |une |le |la |pas de )+.+`,
      `(?:enlève|vire|supprime|épargne-moi|laisse tomber|oublie|évite-moi|zéro|stop aux?|fini les?|marre des?) (?:les |tes |tous tes |ces |le |la |l['’])?(?:emojis?|résumés?|récapitulatifs?|excuses|politesses|compliments|introductions?|conclusions?|explications|blabla|commentaires (?:inutiles|évidents))(?!.*${words("dans (?:ce|cette|le|la)")}).*`,
      `(?:je n['’]ai pas besoin (?:de |d['’])|pas besoin (?:de |d['’])|inutile (?:de |d['’]))(?:un |une |ton |ta |tes |me |m['’])?(?:\\S+ ){0,2}?(?:résum|récap|explication|excus|conclu|intro|comment|rappel|paraphras|justifi|précis)\\p{L}*.*`,
      `(?:ne|n['’]) ?(?:touche[sz]?|modifie[sz]?|édite[sz]?|committe[sz]?|pousse[sz]?|lance[sz]?|utilise[sz]?|mets|mettez|renomme[sz]?|reformate[sz]?) (?:plus|pas|jamais) (?!${IT})(?!${words("encore | maintenant | tout de suite")}).+`,
      `(?:les|le|la|l['’]) ?[^,]{2,40},? on (?:les |le |la |l['’])(?:écrit|ecrit|fait|met|range|nomme|lance|gère|teste|déploie|garde|stocke|documente|formate) .+`,
      `(?:les|nos) ${TOPIC}(?: \\S+){0,3} (?:on |nous )(?:les |n['’]|ne )?\\p{L}+ .+`,
      `\\S+(?: \\S+){0,3}, (?:c['’]est|c['’]était) (?:terminé|fini|interdit|non|proscrit|hors de question)(?: .*)?`,
      `touche pas (?:à |aux? ).+`,
      `(?:arrête[rz]?|cesse[rz]?) (?:de |d['’])(?!${words("faire ça | faire cela")}).+`,
      `(?:pas de|pas d['’]|plus de|plus d['’]|aucune?|jamais de|zéro)(?:\\s+|(?<=['’]))(?!${words("problème | souci | soucis | idée | erreur | erreurs | panique | chance | changement | quoi | doute | raison | temps | réponse | nouvelles | besoin de(?! (?:résumer|expliquer|commenter|t['’]excuser|répéter)) | stress")})(?!.*${words("est | sont | trouvé | trouvée | a | ont | fonctionne")}).*${words("dans | en | pour | sur | sans | sauf | s['’]il te plaît | stp | svp | au | aux | à | inutiles? | par | avec | de | du | ni")}.*`,
      `ne (?:\\p{L}+['’])?\\p{L}+ (?:pas|plus) (?:de |d['’])(?!${IT}).+`,
      `n['’]\\p{L}+ (?:pas|plus|jamais) (?:de |d['’])(?!${IT}).+`,
      `${DO}(?:-\\p{L}+)* (?!.*${IT}).*${words("en (?:français|anglais|allemand|espagnol)")}.*`,
    ),
    ...family(
      "preference",
      "pattern",
      0.85,
      `(?:pour|dans|en|côté|niveau) [^,]{2,30},? je (?:préfère|veux|voudrais) (?!${IT}).+`,
      `(?:moi,? )?je suis (?:plutôt|plus|davantage|pas (?:très )?fan) (?:pour |de |du |d['’])?.+`,
      `je (?:préfère|déteste|n['’]aime pas|adore)(?! (?:ça|cela|celui|celle|la première|la deuxième|l['’]option|cette|ce|ton|ta)(?!\\p{L})).+`,
      `j['’](?:aime|adore|aimerais|aime bien|apprécie)(?: mieux| autant| bien)? (?:que tu|quand tu|les|des|avoir|voir (?:toujours|les)|mieux) ?(?!ça).+`,
      `je (?:veux|voudrais|souhaite) (?:.*\\s)?(?:${ALWAYS}|${words("à chaque | avant chaque | après chaque | pour chaque")}).*`,
      `je ne (?:veux|souhaite) (?:pas|plus|jamais|aucune?) (?!${IT}).+`,
      `(?:ma préférence|mon style|ma convention|mon éditeur|mon shell|ma langue|mon nom|mon fuseau horaire|mon système|mon terminal|mon clavier) (?:va|est|sont|c['’]est) .+`,
      `${DO} (?:plutôt )?(?!${words("le | la | les | l | ce | cette | ces | cet | ici | moi | ça")})(?!l['’])\\S+(?: \\S+){0,3},? (?:au lieu (?:de |d['’])|plutôt (?:que |qu['’])|et non(?: pas)? |pas |à la place (?:de |d['’]))(?!${words("ce | cette | ces | ça | le | la")}).+`,
      `(?:utilise[rz]?|privilégie[rz]?|préfère[rz]?|préférer) (?:les |des |le |la )?\\S+(?: \\S+){0,3} (?:plutôt (?:que |qu['’])|au lieu (?:de |d['’])|à la place (?:de |d['’])|aux? ).+`,
      `au lieu (?:de |d['’])\\S+(?: \\S+)?,? (?:utilise|emploie|prends|écris|fais).+`,
      `(?:évite[rz]?|privilégie[rz]?|limite[rz]?-toi à|abstiens-toi de|traite[rz]?) (?:de |d['’]|les |des |le |la |l['’])?(?!${IT}).+`,
      `(?:garde[rz]?|fais|sois|reste|réponds) (?:des |les |tes |plus |toujours |bien )*(?:réponses |commits |messages |explications |fonctions |résumés |diffs |prs )?(?:courte?s?|concise?s?|bref|brefs|brèves?|brièvement|petite?s?|simples?|succinct\\p{L}*)(?: .+)?`,
      `(?:inutile|pas besoin) (?:de |d['’]).+`,
    ),
    ...family(
      "convention",
      "insight",
      0.85,
      `(?:dans|pour|sur|chez) (?:ce|notre|tout le|l['’]ensemble du|nos) (?:dépôt|repo|projet|code|équipe|monorepo|codebase|projets)\\p{L}*,? .*${words("on | nous | toujours | jamais | ne | n | pas | utilise | utilisez | uniquement | il faut")}.*`,
      `(?:ici|chez nous|dans l['’]équipe),? (?:on|nous|c['’]est|pas de|jamais|toujours|uniquement|que des|que du) .+`,
      `(?:on|nous) (?:est|sommes|bosse|travaille|fonctionne|passe|reste|part) (?:tous |toujours |exclusivement )?(?:en|sous|avec|par|sur|au) (?!${words("train | ce | cette | retard | panne | prod | erreur")}).*(?:${words("sur ce (?:repo|projet|dépôt) | dans ce (?:repo|projet|dépôt) | ici | chez nous | toujours | jamais | partout")}).*`,
      `tout(?:es?)? (?:ce qui est |le code )?(?:dans|sous) \\S+ (?:est|doit|reste|passe) (?!${words("cassé | vide | faux | lent")}).+`,
      `chez nous,? (?!${words("ça | il y a")}).+`,
      `(?:on|nous) (?:n['’]|ne )?(?:utilise|utilisons|écrit|écrivons|emploie|fait|faisons|commit|committe|travaille|teste|déploie|déployons|formate|range|nomme|suit|suivons|met|mettons|garde|squash|rebase|merge|préfère|préférons|documente|versionne|stocke|mocke|pousse|modifie|parle|code)\\p{L}* (?!${words("maintenant | ça | cela | ce | cette | ces")})(?:.*${words("ici | toujours | jamais | pas | plus | que | uniquement | au lieu | plutôt | pour | dans | avec | en | et non | chez | chaque | les | des | sans")}.*|\\S+(?: \\S+)?[.!\\s]*$)`,
      `(?:pour|dans|sur) (?!${words("ce | cette | cet | ces")}).+, (?:on|nous) (?:utilise|utilisons|met|mettons|écrit|écrivons|suit|suivons|emploie|n['’]|ne ).+`,
      `je (?:travaille|suis|développe|code|bosse|tourne) (?:sous|sur|avec) (?:windows|mac\\p{L}*|linux|ubuntu|wsl|powershell|vim|neovim|emacs|vs ?code)\\p{L}*.*`,
      `on ne (?:déploie|merge|pousse|livre|committe?) (?:pas|jamais) .+`,
      `(?:nos|notre) (?!${words("dernière?s? | prochaine?s?")})(?:.*\\s)?(?:convention|règle|standard|style|messages|commits|tests|branches|code|équipe)s?(?: de \\p{L}+)? (?:est|sont|doi(?:ven)?t|suit|suivent|commencent|utilise|utilisent) .+`,
      `${TOPIC} (?:toujours |jamais |uniquement |seulement )*(?:${words("toujours | jamais | uniquement | doivent | doit | devraient | en (?:français|anglais|allemand) | à l['’]impératif | sans | vont | va dans | ne doivent | ne doit | commencent | se mettent | s['’]écrivent | n['’]ont pas")}).*`,
      `.+ (?:est|sont) (?:strictement |absolument |totalement )?(?:interdite?s?|proscrite?s?|obligatoires?|à proscrire|à éviter|bannie?s?)(?: .*)?[.!\\s]*`,
      `(?:interdit|interdiction|défense) (?:de |d['’]).+`,
    ),
    ...family(
      "remember",
      "self_knowledge",
      0.9,
      `(?:souviens-toi|souvenez-vous|rappelle-toi|rappelez-vous|retiens|retenez|n['’]oublie(?:z)? (?:pas|jamais)|garde[rz]? (?:bien )?(?:à l['’]esprit|en tête|en mémoire)|note[rz]?|sache[rz]?|mémorise[rz]?)(?: bien| aussi| pour (?:la suite|plus tard|la prochaine fois))*[,:]? (?:que |qu['’])(?<rest>.+)`,
      `(?:souviens-toi|rappelle-toi|retiens|note|à retenir|pour mémoire|mémorise)(?: bien| pour (?:la suite|plus tard))?[:,] ?(?<rest>(?!ça|cela).+)`,
      `(?:n['’]oublie(?:z)? (?:pas|jamais)) (?:de |d['’])(?=.*${ALWAYS}).+`,
    ),
  ],
  question: atStart(
    words(`
    pourquoi | comment | que | qu['’]est-ce | quel | quelle | quels | quelles | où | quand est-ce | qui | est-ce | peux-tu | pourrais-tu | pouvez-vous | tu peux(?! (?:(?:stp )?arrêter|te passer|t['’]abstenir|te dispenser|sauter|omettre|éviter)) | tu pourrais | peut-on | on peut | devrait-on | dois-je | faut-il
    as-tu | avons-nous | y a-t-il | doit-on | veux-tu | utilises-tu | on devrait
  `),
  ),
  supposed: anywhere(
    words(`
    peut-être | éventuellement | sans doute | probablement | je crois | je pense | je suppose | supposons | imaginons | il semble | apparemment | par exemple | en théorie | je me demande | (?<!tu n['’]es |tu es )pas sûre? | et si | serait (?!bien que tu|bon que tu) | pourrait | pourraient
    on dirait | il paraît | ça dépend
  `),
  ),
  oneOff: anywhere(
    words(`
    cette fois(?:-ci)? | pour cette fois | aujourd['’]hui(?!-) | (?<!partir de |dès )maintenant | pour l['’]instant | pour le moment | en ce moment | actuellement | demain | hier | ce soir | cette semaine | jusqu['’]à | tout de suite | exceptionnellement | pas encore | ci-dessus | ci-dessous | là-dessus | encore une fois le
    (?:dans |pour |sur |à |de |avec )?(?:ce|cette|cet|ces|la prochaine|le prochain|le dernier|la dernière|le nouveau|la nouvelle) (?:nouvelle? |dernière? )?(?:prs?(?!\\p{L})|pull|commit|fichier|fichiers|fonction|méthode|classe|test|tests|tâche|branche|fonctionnalité|feature|bug|ticket|issue|étape|ligne|cas|changement|modification|refactoring|migration|release|script|commande|erreur|session|endpoint|module|composant|page|version)[\\p{L}-]*
    option \\d | étape \\d | ligne \\d+ | ensuite | puis
  `),
  ),
  others: anywhere(
    words(`
    (?:il|elle|ils|elles|client|cliente|clients|chef|patron|collègue|collègues|reviewer|relecteur|doc|documentation|readme|linter|compilateur|copilot|cursor|quelqu['’]un|utilisateurs?|gens|équipe (?:produit|sécurité|design)|manager|article|blog|tutoriel|claude\\.md|agents\\.md) (?:m['’]a |a |ont |nous |me |toujours |aussi |n['’] ?|ne )*(?:dit|disent|disait|veut|veulent|pense|pensent|suggère|suggèrent|demande|demandent|demandé|écrit|recommande|recommandent|préfère|préfèrent|souhaite|conseille|affirme|exige|voulait)
    (?<!je )(?:veut|veulent|demande|demandent|exige|voudrait|insiste pour) (?:que|qu)
    selon | d['’]après | paraît-il | il est écrit | c['’]est écrit
  `),
  ),
  pointers: anywhere(
    `${words("ça | cela | celui-ci | celle-ci | ceci | de même | pareil | comme ça | la même chose | le même | celui-là | celle-là | ainsi")}|-(?:le|la|les)(?!\\p{L})`,
  ),
  statements: anywhere(
    words(
      "(?:doit|doivent|devrait) .*(?:visibles?|affich\\p{L}*|apparaître|arrondi\\p{L}*|triée?s?|rester) | les utilisateurs | les clients (?:doivent|peuvent) | il faut qu['’](?:il|elle|ils|elles) | dans (?:mon|notre) ancien(?:ne)? \\p{L}+ | à l['’]époque | avant,? on | autrefois | jusqu['’]ici | auparavant | on devrait | il est recommandé | il vaut mieux | pendant (?:la|le|les|cette) | (?:le|la|les|un|une|chaque) (?:fonction|méthode|api|endpoint|serveur|bouton|page|composant|utilisateur|application|table|champ|requête|script|cache|formulaire|liste|menu|client|service|utilisateurs) (?:doit|doivent|devrait|ne doit|peut|renvoie|est|a) | (?:l['’])(?:api|utilisateur|application|endpoint|interface) (?:doit|devrait|ne doit|peut|renvoie|est) | parce que | parce qu | car | toujours pas | ne marche | ne fonctionne | n['’]est jamais | ne sont jamais | est toujours | sont toujours | a toujours | échoue toujours | renvoie toujours | retourne toujours | jamais (?:appelée?|lue?s?|utilisée?s?|exécutée?s?|vue?) | plante | tu (?:as|es|fais|oublies|utilises) toujours | pas de (?:problème|souci) | il n['’]y a | je n['’]ai | je ne (?:sais|comprends|vois|me souviens|trouve|peux)",
    ),
  ),
};
