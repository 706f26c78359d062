import { anywhere, atEnd, atStart, counted, family, type Language, lastClause, words } from "./language.ts";

const FROM_NOW = words(`
  a partir de ahora | de ahora en adelante | desde ahora | en adelante | de aquí en adelante | a partir de hoy | desde hoy | en (?:el )?futuro | en lo sucesivo
  la próxima vez | las próximas veces | para la próxima | para el futuro | de hoy en adelante
`);
const ALWAYS = words(
  "siempre | nunca | jamás | cada vez | únicamente | exclusivamente | por defecto | como norma | por norma | sistemáticamente | en todo momento",
);
const DO = words(`
  us(?:a|e|ar|es|en|as) | utili[cz](?:a|e|ar|es) | emplea | escrib(?:e|ir|as|a) | haz | hacer | hagas | hagan | ejecuta | ejecutar | ejecutes | corre | correr | corras | comprueba | verifica | verificar | revisa | revisar | prueba | probar | haz commit
  commite(?:a|ar|es) | sube | subir | subas | pregunta(?:me|r|s)? | preguntes | pregúntame | responde(?:me)? | responder | respóndeme | contesta | contéstame | explica(?:me)? | expliques | muestra | muéstrame | enseña | formatea | formatear | mantén | mantener | añade | añadir | añadas | agrega | agregar | agregues | pon | poner | pongas
  evita | evitar | evites | borra | borrar | borres | elimina | eliminar | elimines | modifica | modificar | modifiques | toca | tocar | toques | nombra | nombrar | llama | habla(?:me)? | háblame | comenta | comentar | comentes | documenta | documentar | instala | instalar | instales | prefiere | preferir | crea | crear | crees | trata | tratar
  deja | dejar | dejes | para de | propón | sigue | seguir | coloca | guarda | guardar | importa | importar | importes | mockea | mockear | fusiona | mergea | rebasea | espera | esperar | avisa(?:me)? | avísame | sé | limita | respeta | respetar | asegúrate | recuerda | tutéame | resume | resumas | dame | dime | cambia | cambies | pasa | lee | di | corrige | elige | intenta | busca | separa | cita | justifica | ordena | inventes | asumas | pidas | pide
`);
const TOPIC = `(?:todos los |todas las |los |las |nuestros |nuestras |cada )*${words(`
  mensajes? de (?:los )?commits? | commits? | tests?(?: unitarios)? | pruebas(?: unitarias)? | ramas? | nombres? de (?:ramas?|variables?|funciones|archivos) | comentarios? | variables? | funciones | mensajes de error | documentación | docs | migraciones
  archivos | ficheros | imports? | importaciones | prs? | pull requests? | respuestas | tipos | componentes | clases | métodos | endpoints | logs | dependencias | secretos | identificadores | código
`)}`;
const IT = words("est[eao]s? | es[ao]s? | ese | eso | aquell[ao]s? | aquel");

export const spanish: Language = {
  name: "es",
  common: counted(
    `hacer | hay | muy | soy | yo | tus | tu | pero | como | eso | ni | el | a | la | los | las | que | en | no | una | un | para | por | con | siempre | nunca | de | del | y | es | se | me | te | lo | al | antes | cada | sin | mi | este | esta | usa | usar | uses | usamos | prefiero | ahora | cuando | código | en lugar | en vez | haz | quiero | más | ya | todos | todas | nuestro`,
  ),
  lead: atStart(
    `(?:(?:${words(`
    eso sí | solo que | una cosita | va bien | ok | okay | vale | no(?=[,.!]) | sí | si(?=[,.!]) | hey | oye | hola | bueno | bien | entonces | y | pero | también | por favor | porfa | por cierto | nota | importante | recordatorio | gracias | genial | perfecto | otra vez | de nuevo | una vez más | como (?:ya )?(?:te )?dije | repito | te repito
    ojo | atención | en general | para que lo sepas | una cosa | otra cosa | regla | además | ah | por última vez | insisto
  `)})[\\s,.:;!–—-]*|[¡¿])+`,
  ),
  tail: atEnd("(?:,? (?:por favor|porfa|gracias|ok|vale))?[\\s.!;,:)–—-]*"),
  resumes: atStart(
    `${FROM_NOW}|${words("prefiero | recuerda que | acuérdate | no olvides que | usa siempre | nunca | siempre | evita | usamos | quiero que siempre | deja de | por favor,? (?:siempre|nunca|no)")}`,
  ),
  again: atStart(
    `(?:(?:no|ok|vale|oye|pero|y|a ver)[\\s,]+)*(?:por \\p{L}+ vez|cuántas veces (?:tengo que|te lo|debo|hay que)(?: \\p{L}+){0,5}|(?:te )?(?:lo )?repito|te lo (?:vuelvo a decir|he dicho(?: mil veces| ya)?|dije)|(?:ya )?(?:te )?lo (?:he dicho|dije)(?: \\p{L}+){0,3}|ya te (?:dije|he dicho)(?: \\p{L}+){0,2}|como (?:ya )?(?:te )?(?:dije|he dicho|comenté)|otra vez|de nuevo|insisto)\\s*[,:;!?.–—-]+\\s*`,
  ),
  lasts: lastClause(
    `(?:y |así que |por favor,? |porfa,? )*(?:acu[ée]rdate(?: de (?:eso|esto|ello))?|acordate(?: de eso)?|recuérdalo|tenlo (?:en cuenta|presente)|tenelo (?:en cuenta|presente)|que no se te olvide|no lo olvides|apúntalo|anótalo|regla de (?:la casa|oro|equipo)|norma de (?:la casa|equipo|la empresa)|es (?:la|una|nuestra) (?:regla|norma|convención|política)(?: (?:aquí|de la casa|del equipo|del proyecto))?|es norma(?: de la casa)?|(?:aquí )?lo hacemos así(?: siempre)?|así (?:lo hacemos|trabajamos)(?: aquí| siempre)?|(?:eso |esto )?(?:vale|aplica|va) (?:para (?:todo|todos|todas|cualquier|cada)[^,.]{0,30}|siempre|en general)|sin excepci(?:ón|ones)|siempre|cada vez|en todas partes|por norma)(?: (?:para|en) (?:la|las|el) (?:próximas?|proxima|siguiente|futuro)(?: vez| veces)?)?`,
  ),
  reason: anywhere(
    `,? ${words("porque | ya que | si no(?=,? \\p{L}) | pues | que si no | así que | que luego | puesto que")}.*$|[,;] ${words("me (?:pisó|pis[oa]|cuesta|lía|rompe|rompió|molesta|vuelve|da) | eso (?:es|me|rompe) | luego | así (?:puedo|veo|no) | es que")}.*$`,
  ),
  families: [
    ...family(
      "standing",
      "pattern",
      0.9,
      `(?=.*${FROM_NOW})(?!.*${words("es | son | será | está | funciona | corre en")})(?=.*(?:${DO}|${ALWAYS}|${words("no | quiero | quisiera | me gustaría | debes | tienes que | hay que | sin | nada de | solo | sólo | vamos a | que")}))(?:${FROM_NOW}[,:]? )?(?<rest>.+)`,
      `siempre (?:que (?:hagas|añadas|cambies|crees|modifiques|toques|escribas|termines|subas|agregues)|${DO}) ?.+`,
      `(?:nunca|jamás) (?:m[áa]s )?(?:lo |la |me )?(?!${words("he | había | ha | fue | se | llega | llegó | funciona | vi | pasa")})(?:${DO}|\\p{L}+(?:ar|er|ir|es|as|a|e)(?!\\p{L})).+`,
      `(?:no|ni) (?:.*\\s)?(?:nunca|jamás)(?: .*)?`,
      `${DO} (?:.*\\s)?${ALWAYS}(?: .*)?`,
      `(?:debes|tienes que|hay que|deberías|asegúrate de|procura|recuerda|acuérdate de|no olvides|trata de|intenta) (?:.*\\s)?${ALWAYS}.*`,
      `(?:no debes|no tienes que|no hay que|no hace falta que|no es necesario que|no hace falta|no necesito que) (?!${IT}).+`,
      `(?:ya te (?:he dicho|dije|lo dije|pedí|he pedido)|te (?:he dicho|dije|pedí))(?: mil veces| varias veces| muchas veces| antes)?[,:]? (?:que )?(?<rest>.+)`,
      `(?:pregúntame|pregunta|consúltame|consulta conmigo|avísame|espera mi \\p{L}+|pide permiso|pídeme permiso|pide confirmación|confirma conmigo)(?: siempre| primero)* antes de .+`,
      `(?:cuando|cada vez que|siempre que|si|al) (?!${words("el | la | hay | no | quieres | puedes | es | se | alguien | un | una")})\\p{L}+(?:s|r)(?!\\p{L})[^,]*, (?:.*\\s)?(?:${DO}|${ALWAYS}|no |hay que|asegúrate).*`,
      `(?:antes|después) de (?!${words("est[eao] | eso | hacer eso")})[^,]+, (?:.*\\s)?(?:${DO}|${ALWAYS}|hay que|no olvides).*`,
      `(?:antes de|después de|tras|en|para|por) (?:cada|todo|toda) (?:commit|push|cambio|modificación|merge|pr|release|tarea|archivo|respuesta|pull|corrección|nueva?|bug|funcionalidad|migración|refactor|refactorización|paso)[\\p{L}-]*,? .+`,
      `.+ (?:antes de|después de|tras|en) (?:cada|hacer cada|cualquier) (?:commit|push|cambio|merge|pr|release|modificación|paso|refactor|respuesta|pull request)(?: .+)?`,
      `no \\p{L}+ .*(?:sin (?:preguntar|consultar|mi |permiso|avisar|que yo|pedir|antes)|a menos que (?:yo|te|lo)|hasta que yo|salvo que (?:yo|te)).*`,
      `(?!${words("por qué | cómo | cuándo")})(?:los|las|el|la) \\p{L}+ (?:los |las |lo |la )\\p{L}+(?:es|as) ${ALWAYS}(?: .*)?`,
      `(?:si|cuando) (?:algo|hay algo|hay dudas|no est[áa] claro|no estás)[^,]*, .+`,
      `(?:para mí es|me importa|es) (?:muy )?importante (?:para mí )?que .+`,
      `no (?:adivines|supongas|asumas|inventes|especules)(?:,| |[.!]|$).*`,
      `no (?:instales|añadas|agregues|ejecutes|uses|importes|borres|toques) nada (?!${words("más | de eso | de esto")}).+`,
      `no (?:toques|modifiques|cambies|edites) (?:el |la |los |las )?(?:archivos? generados?|ficheros? generados?|\\S+\\.\\p{L}+|carpeta \\S+|código generado).*`,
      `(?:puedes|te puedes) (?:ahorrar(?:te)?|saltar(?:te)?|omitir|prescindir de) .+`,
      `${DO}(?:me)? (?!.*${IT})(?:.*\\s)?(?:en todas partes|en todo el (?:código|proyecto)|como máximo|como mínimo|sin excepción|con el esquema|con el formato|de forma consistente|en todos lados)(?!\\p{L}).*`,
      `(?:nombra|formatea|documenta|comenta|escribe|redacta|ordena|explica) (?:siempre |todos |todas |tus )*${TOPIC} (?!.*${IT})(?!.*${words("para (?:el|la|los|las)")}).+`,
      `(?:trátame de|tutéame|háblame de) .*`,
      `piensa siempre .+`,
      `(?:respuestas|commits|comentarios|explicaciones|resúmenes|funciones|prs) (?:más |muy )?(?:cort[oa]s|breves|pequeñ[oa]s|concis[oa]s|en \\p{L}+).*`,
      `(?:menos|más) (?:comentarios|explicaciones|emojis|resúmenes)(?:[ ,.!].*|$)`,
      `(?:del?|el|la|los|las) .+ (?:me encargo yo|lo hago yo|la hago yo|lo mantengo yo|lo actualizo yo|los hago yo)(?: mism[oa])?.*`,
      `deja (?:el|la|los|las) \\S+ (?:en paz|como está|intact[oa]s?|sin tocar).*`,
      `(?:acordamos|decidimos|hemos decidido|hemos acordado|nos hemos estandarizado|estandarizamos) .+`,
      `(?:te olvidas|sigues|no paras) (?:siempre )?de .+`,
      `me molesta (?:que|cuando) .+`,
      `(?:hay que|debes|tienes que) (?!${IT})(?!${words("arreglar | corregir | añadir | cambiar | mirar")}).*${words("antes de | después de | en cada | para cada | sin")}.*`,
      `(?:cada vez que|siempre que|cuando) (?:me |lo |la |te )?(?!${words("es | hay | quieres | puedes | tienes | estás | eres | vas")})\\p{L}+(?:es|as)(?!\\p{L}) (?!${IT})[^,]+, (?!${words("se | el | la | los | las | me | sale | da | falla")}).+`,
      `(?:el|la|los|las) [^,]{2,30} (?:lo|la|los|las) \\p{L}+o yo(?:[ ,.!].*|$)`,
      `(?:puedes|podrías) (?:por favor )?(?:dejar|parar) de .+`,
      `acostúmbrate a .+`,
      `expl[ií]came (?:las cosas|todo|los conceptos|siempre)(?: .+)`,
      `(?:las|los) [^,]{2,40} (?:van|va|se escriben|siempre) (?:siempre )?en (?:mayúsculas|minúsculas|singular|plural|inglés|español|imperativo|snake_case|camelCase)(?:[ ,.!].*|$)`,
      `no (?:me )?(?:vuelvas?|volváis|vuelvan) a (?!${words("hacer eso | hacer esto")}).+`,
      `(?:cuando|cada vez que|siempre que|si|antes de que|en cuanto) (?:me |te |lo |la |le )?(?!${words("es | hay | quieres | puedes | tienes | estás | eres | vas")})\\p{L}+(?:es|as|gas|ques|ces)(?!\\p{L}) [^,]*?[, ]+(?:no |siempre |nunca |mejor |por favor )*(?:${DO}|\\p{L}+(?:me|melo|nos|te)(?!\\p{L})|avis[ae]|pon|haz).*`,
      `(?:antes|después) de \\p{L}+r (?!${IT})[^,]*, (?:me |siempre |no |por favor )*(?:${DO}|\\p{L}+(?:me|melo)(?!\\p{L})|consúlt\\p{L}+|quiero).*`,
      `(?:.+ )?sin (?:consultarme|preguntarme|avisarme|mi (?:permiso|visto bueno|ok|aprobación|confirmación)|preguntar antes)(?: .*)?`,
      `(?:.+ )?(?:necesita|requiere|lleva|necesitan|requieren) mi (?:permiso|visto bueno|ok|aprobación|confirmación)(?: .*)?`,
      `(?:ahórrate|ahórrame|ahorrate|quita|olvídate de|fuera|basta de|menos) (?:los |las |tus |el |la |tanto |tanta |tantos |tantas |con )*(?:emojis?|res[uú]men(?:es)?|disculpas|introducci(?:ón|ones)|explicaci(?:ón|ones)|cumplidos|rodeos|paja|relleno|comentarios obvios)(?!.*${words("en est[ea] | de est[ea]")}).*`,
      `(?:no necesito|no hace falta|me sobra|me sobran|no quiero) (?:que |el |la |los |las |un |una |tanto |tanta |tu |tus )*(?:me )?(?:\\S+ )?(?:resum|explic|disculp|introducc|conclusi|emoji|coment|detall|repit)\\p{L}*.*`,
      `(?:los|las|todos los|todas las|nuestros|nuestras|cada|tod[oa]) (?:${TOPIC}|nombres de \\p{L}+|tablas|columnas|fechas|importes|cadenas|textos|constantes|rutas|claves)(?: \\S+){0,3}? (?:van|va|son|se (?:escriben|nombran|ponen|guardan|lanzan|hacen|llaman|ejecutan)|llevan|lleva|empiezan|usan|siguen|tienen que|deben|están|quedan) (?!${words("rot[oa]s? | fallando | mal | lent[oa]s? | bien | en rojo | en verde")}).+`,
      `(?:los|las) \\p{L}+ no (?:se )?\\p{L}+(?:mos|n|a|e)(?!\\p{L})[^,]*[.!\\s]*`,
      `(?:un|una) (?:commit|pr|rama|test|clase|archivo|migración) (?:por|=) .+`,
      `ni se te ocurra .+|ojo con .+`,
      `(?:tuteame|tutéame|vosea(?:me)?|voséame).*`,
      `(?:deja|para|dejad) de (?!${words("hacer eso | hacer esto")}).+`,
      `sin (?!${words("problemas? | errore?s? | cambios? | eso | esto | embargo | prisa | duda | más | querer")})(?!.*${words("es | son | está | hay | funciona")})\\S+(?: \\S+){0,2} (?:por defecto|en|de|ni|para|innecesari[oa]s|a menos)(?: .*)?`,
      `(?:nada de|ni un|ningún|ninguna|cero|no más|basta de) (?!${words("problema | error | errores | idea | eso | esto | cambio")})(?!.*${words("es | son | está | hay | funciona")}).+`,
      `no (?:me |le |les )?(?:uses|utilices|añadas|agregues|pongas|escribas|hagas|crees|toques|modifiques|edites|borres|elimines|comentes|expliques|instales|importes|mockees|subas|commitees|asumas|inventes|resumas|repitas|pidas|dejes|metas|incluyas|generes|cambies|renombres|formatees|reformatees|mezcles|ignores|silencies|hardcodees|abuses|traduzcas|des|digas) (?!${words("el | la | los | las | lo | un | una | nada más | más(?=[.!]?$)")})(?!${IT}).+`,
      `no quiero (?:ver |que |más |ningún |ninguna |encontrar )?(?!${IT}).+`,
      `${DO}(?:me)? (?!.*${IT}).*${words("en (?:español|inglés|francés|alemán|castellano|portugués)")}.*`,
    ),
    ...family(
      "preference",
      "pattern",
      0.85,
      `(?:yo )?soy (?:más|mas|muy|poco) de (?!${IT}).+`,
      `(?:para|en|con) (?!${IT})[^,]{2,40},? (?:yo )?prefiero .+`,
      `(?:yo )?no soy (?:muy )?(?:fan|amigo|partidari[oa]) de (?!${IT}).+`,
      `(?:yo )?(?:prefiero|odio|detesto|me encanta|me encantan|me gustan|no me gustan?|no soporto)(?! (?:eso|esto|esa|ese|este|esta|la primera|la segunda|el primero|la opción|tu|tu propuesta|así)(?!\\p{L})) .+`,
      `me gusta(?:ría)? (?:más )?(?:que (?!esto|eso)|cuando |ver siempre|tener siempre|más ).+`,
      `(?:quiero|quisiera|necesito|espero) (?:.*\\s)?(?:${ALWAYS}|${words("en cada | antes de cada | después de cada | para cada")}).*`,
      `(?:mi preferencia|mi estilo|mi editor|mi shell|mi idioma|mi lengua|mi nombre|mi zona horaria|mi sistema|mi terminal|mi teclado|mi convención) (?:es|son) .+`,
      `${DO} (?!${words("el | la | los | las | lo | un | una | aquí")})(?!${IT})\\S+(?: \\S+){0,3},? (?:en lugar de|en vez de|y no|no|antes que|mejor que) (?!${IT}).+`,
      `(?:usa|utiliza|prefiere|emplea) (?:los |las |el |la )?\\S+(?: \\S+){0,3} (?:en lugar de|en vez de|antes que|por encima de|sobre) .+`,
      `en (?:lugar|vez) de \\S+(?: \\S+)?,? (?:usa|utiliza|escribe|pon|emplea|haz).+`,
      `(?:evita|evitar|prioriza|limítate a|abstente de|trata|procura) (?!${IT})(?!${words("el error | la duplicación de la")}).+`,
      `(?:mantén|haz|sé|da|dame|escribe|responde(?: de forma)?|quiero) (?:las |los |tus |unas |más |muy |siempre |respuestas |commits |mensajes |explicaciones |funciones |resúmenes |prs |de forma |de manera )*(?:cort[oa]s?|concis[oa]s?|breves?|pequeñ[oa]s?|simples?|brevemente|escuet[oa]s?|directa?s?)(?: .+)?`,
    ),
    ...family(
      "convention",
      "insight",
      0.85,
      `(?:en|para) (?:este|nuestro|todo el|el) (?:repo|repositorio|proyecto|código|equipo|monorepo)\\p{L}*,? .*${words("usamos | utilizamos | siempre | nunca | no | usa | utiliza | solo | sólo | hay que | se | seguimos | escribimos | hacemos | trabajamos")}.*`,
      `aquí,? ${TOPIC} .+`,
      `(?:si|cuando) (?:dudas|tienes dudas|no estás segur[oa]|no lo tienes claro|te falta)[^,]*, .+`,
      `(?:aquí|acá|en el equipo|en mi equipo|en la empresa),? (?:no )?(?:se )?(?:usamos|utilizamos|escribimos|hacemos|seguimos|trabajamos|usa|utiliza|usan|nunca|siempre|testeamos|probamos|desplegamos).+`,
      `(?:nosotros )?(?:no |nunca |siempre |solo |sólo )?(?:usamos|utilizamos|escribimos|hacemos|seguimos|trabajamos con|probamos|testeamos|desplegamos|formateamos|guardamos|nombramos|ponemos|preferimos|documentamos|mockeamos|mergeamos|rebaseamos|versionamos|commiteamos|permitimos|mantenemos|dejamos|evitamos|llevamos) (?!${words("ahora | eso | esto")})(?:.*${words("aquí | siempre | nunca | no | solo | sólo | en | para | con | como | cada | por | y | sin | los | las")}.*|\\S+(?: \\S+)?[.!\\s]*$)`,
      `(?:para|en|con) (?!${words("est[eao]s? | es[aeo]s?")}).+ (?:usamos|utilizamos|ponemos|seguimos|escribimos) (?!${words("ahora | eso | esto")}).+`,
      `(?:yo )?(?:trabajo|desarrollo|programo) (?:en|con|desde) (?:windows|mac\\p{L}*|linux|ubuntu|wsl|powershell|vim|neovim|emacs|vs ?code)\\p{L}*.*`,
      `no (?:desplegamos|mergeamos|publicamos|hacemos (?:deploy|push|merge|commits?)|subimos) .+`,
      `nuestr[oa]s? (?!${words("últim[oa]s? | próxim[oa]s?")})(?:.*\\s)?(?:convención|regla|estándar|estilo|mensajes|commits|tests|pruebas|ramas|código|equipo)(?: de \\p{L}+)? (?:es|son|deben?|sigue|siguen|empiezan|usa|usan|van) .+`,
      `${TOPIC}(?: \\S+){0,3},? (?:siempre |solo |sólo )*en (?:español|inglés|castellano|imperativo|singular|plural|minúsculas|mayúsculas|snake_case|camelCase)(?:[ ,.!].*|$)`,
      `${TOPIC} (?:siempre |nunca |solo |sólo |únicamente )*(?:${words("siempre | nunca | deben? | deberían | tienen que | en (?:español|inglés|castellano) | en imperativo | sin | van | se escriben | se nombran | se ponen | solo | sólo | no deben? | no llevan | empiezan | no se | no pueden")}).*`,
      `.+ (?:está|están|queda|quedan|es|son) (?:totalmente |estrictamente |terminantemente )?(?:prohibid[oa]s?|vetad[oa]s?|obligatori[oa]s?|vedad[oa]s?)(?: .*)?[.!\\s]*`,
      `(?:prohibid[oa]s?|queda prohibido|está prohibido) .+`,
    ),
    ...family(
      "remember",
      "self_knowledge",
      0.9,
      `(?:recuerda|recuerde|acuérdate(?: de)?|no (?:te )?olvides|no te olvides(?: de)?|ten (?:en cuenta|presente)|anota|apunta|toma nota(?: de)?|memoriza|que sepas)(?: bien| también| siempre| para (?:el futuro|luego|después|la próxima))*[,:]? que (?<rest>.+)`,
      `(?:que )?no se te olvide(?: que)?[:,]? (?<rest>.+)`,
      `(?:recuerda|anota|apunta|toma nota|para recordar|memoriza|recuérdalo)(?: bien| esto| para (?:el futuro|luego))?: ?(?<rest>.+)`,
    ),
  ],
  question: atStart(
    `¿(?! ?(?:puedes|podrías) (?:por favor )?(?:dejar|parar) de)|${words(`
    por qué | cómo | qué | cuál | cuáles | dónde | quién | cuándo | puedes(?! (?:por favor )?(?:dejar de|parar de|ahorrar|saltar|omitir|prescindir)) | podrías(?! (?:por favor )?(?:dejar|parar) de) | podemos | deberíamos | debería | usas | se puede | crees | sabes | quieres | debo | tenemos que usar
  `)}`,
  ),
  supposed: anywhere(
    words(`
    quizás? | tal vez | a lo mejor | posiblemente | probablemente | creo que | pienso que | supongo | supongamos | imagina | imaginemos | parece | aparentemente | por ejemplo | en teoría | me pregunto | no estoy segur[oa] | y si | sería (?!bueno que|genial que|mejor que) | podría | podrían | depende
  `),
  ),
  oneOff: anywhere(
    words(`
    esta vez | por esta vez | solo esta vez | hoy(?! en) | (?<!partir de |de |desde )ahora(?! en) | por ahora | de momento | por el momento | ahora mismo | actualmente | mañana | ayer | esta (?:noche|semana) | hasta (?:que (?!yo)|mañana|el|la) | todavía | aún | excepcionalmente | arriba | abajo | ya no hace | ya está
    (?:en |para |de |con |a |sobre )?(?:este|esta|estos|estas|ese|esa|el próximo|la próxima|el último|la última|el nuevo|la nueva|el siguiente|la siguiente) (?:nuevo |nueva )?(?:prs?(?!\\p{L})|pull|commit|archivo|fichero|archivos|función|método|clase|test|prueba|tests|tarea|rama|funcionalidad|feature|bug|ticket|issue|paso|línea|caso|cambio|modificación|refactor|refactorización|migración|release|script|comando|error|sesión|endpoint|módulo|componente|página|versión)[\\p{L}-]*
    opción \\d | paso \\d | línea \\d+ | a continuación
  `),
  ),
  others: anywhere(
    words(`
    (?:él|ella|ellos|ellas|cliente|clientes|jefe|jefa|compañer[oa]s?|colega|colegas|revisor|reviewer|doc|documentación|readme|linter|compilador|copilot|cursor|alguien|usuarios?|gente|manager|artículo|blog|tutorial|equipo de \\p{L}+|claude\\.md|agents\\.md) (?:me |ha |han |nos |siempre |también |ya |no )*(?:dice|dicen|dijo|dicho|quiere|quieren|quería|piensa|piensan|sugiere|sugirió|pide|piden|pidió|pedido|escribe|escribió|recomienda|recomiendan|prefiere|prefieren|aconseja|exige|insiste|asegura|opina)
    (?:los|las|el|la|l[oa]s chic[oa]s) de \\p{L}+ (?:\\p{L}+ )?(?:quieren?|piden?|dicen?|dijeron|insisten?|proponen?|exigen?|prefieren?|pidi[óe]\\p{L}*)
    (?<!yo )(?:quiere|quieren|pide|piden|exige|exigen|insiste en|insisten en) que
    según | de acuerdo con | pone que | está escrito | al parecer
  `),
  ),
  pointers: anywhere(
    `${words("eso | esto | así | lo mismo | ello | aquello | ahí | allí | ese | esa")}|\\p{L}+(?:ar|er|ir|a|e|o)l[oa]s?(?!\\p{L})(?<=\\p{L}{4,}(?:arlo|erlo|irlo|azlo|ealo|arla|erla|irla|arlos|erlos|arlas|erlas))`,
  ),
  statements: anywhere(
    words(
      "(?:debe|deben|tiene que|tienen que|debería) .*(?:visibles?|mostrar\\p{L}*|aparecer|verse|redondea\\p{L}*|ordenad[oa]s?) | los (?:usuarios|clientes) | en mi (?:antigu[oa]|anterior) \\p{L}+ | antes (?:usábamos|lo|se|hacíamos|teníamos) | solíamos | hasta ahora | se debería | conviene | se recomienda | durante (?:la|el|esta) | (?:la|el|los|las|un|una|cada) (?:función|método|api|endpoint|servidor|botón|página|componente|usuario|usuarios|aplicación|tabla|campo|consulta|script|caché|formulario|lista|menú|cliente|servicio) (?:debe|deben|debería|no debe|puede|devuelve|es|tiene|está) | porque | ya que | no funciona | sigue (?:fallando|sin) | siempre (?:falla|devuelve|da|lanza|sale|me|es|está|ocurre|pasa|se) | nunca (?:se|es|fue|llega|termina|ha|he|había|devuelve|falla) | es siempre | está siempre | no hay | no (?:sé|entiendo|veo|recuerdo|encuentro|puedo|tengo) | siempre (?:olvidas|haces|te olvidas) | has (?:usado|hecho|olvidado) | sin problema",
    ),
  ),
};
