import { anywhere, atEnd, atStart, counted, family, type Language, lastClause, words } from "./language.ts";

const FROM_NOW = words(`
  a partir de agora | de agora em diante | daqui (?:em|para a) (?:diante|frente) | daqui pra frente | de hoje em diante | a partir de hoje | doravante | no futuro | futuramente | em diante
  (?:d)?a próxima vez | nas próximas vezes | da próxima | para o futuro | desde já
`);
const ALWAYS = words(
  "sempre | nunca | jamais | toda vez | todas as vezes | cada vez | apenas | somente | exclusivamente | por padrão | como regra | sistematicamente",
);
const DO = words(`
  us(?:a|e|ar|es|em) | utiliz(?:a|e|ar|es) | escrev(?:a|e|er|as) | faz | faça | fazer | faças | rod(?:a|e|ar) | execut(?:a|e|ar) | corr(?:a|e|er) | verifi(?:que|ca|car) | confir(?:a|e) | test(?:a|e|ar) | commit(?:a|e|ar) | faça commit
  sub(?:a|ir) | envi(?:a|e|ar) | pergunt(?:a|e|ar)(?:-me)? | me pergunt(?:a|e) | respond(?:a|e|er)(?:-me)? | expli(?:que|ca|car) | mostr(?:a|e|ar)(?:-me)? | format(?:a|e|ar) | mantenha | mantém | manter | adicion(?:a|e|ar) | acrescent(?:a|e|ar) | coloc(?:a|ar) | coloque | põe | ponha | pôr
  evit(?:a|e|ar) | apag(?:a|ar) | apague | remov(?:a|e|er) | elimin(?:a|e|ar) | modifi(?:que|ca|car) | mex(?:a|e|er) | toc(?:a|ar) | toque | alter(?:a|e|ar) | nome(?:ie|ia|ar) | cham(?:a|e|ar) | fal(?:a|e|ar) | coment(?:a|e|ar) | document(?:a|e|ar) | instal(?:a|e|ar) | prefir(?:a|e) | prefere | cri(?:a|e|ar) | trat(?:a|e|ar)
  deix(?:a|e|ar) | par(?:a|e) de | sig(?:a|ue) | seguir | guard(?:a|e|ar) | import(?:a|e|ar) | mock(?:a|e|ar) | espere | aguarde | avis(?:a|e)(?:-me)? | me avis(?:a|e) | sej(?:a|am) | limit(?:a|e) | respeit(?:a|e|ar) | certifique-se | garanta | lembre | resum(?:a|e|ir) | me d[êe] | diga | peça | confirm(?:a|e)
`);
const TOPIC = `(?:todos os |todas as |os |as |nossos |nossas |cada )*${words(`
  mensagens? de commits? | commits? | testes?(?: unitários)? | branches? | ramos? | nomes? de (?:branches?|variáveis|funções|arquivos|ficheiros) | comentários? | variáveis | funções | mensagens de erro | documentação | docs | migrações | migrations
  arquivos | ficheiros | imports? | importações | prs? | pull requests? | respostas | tipos | componentes | classes | métodos | endpoints | logs | dependências | segredos | identificadores | código
`)}`;
const IT = words(
  "est[ea]s? | ess[ea]s? | isso | isto | aquil[oa] | aquel[ea]s? | nisso | nisto | ness[ea]s? | nest[ea]s? | dest[ea]s? | dess[ea]s?",
);

export const portuguese: Language = {
  name: "pt",
  common: counted(
    `fazer | tem | muito | seu | sua | pra | pro | vc | nao | voce | gente | mas | ser | ter | o | a | os | as | que | em | não | uma | um | para | por | com | sempre | nunca | de | do | da | dos | das | no | na | nos | nas | neste | nesta | e | é | se | me | ao | antes | cada | sem | meu | este | esta | use | usar | usamos | prefiro | agora | quando | código | em vez | faça | quero | mais | já | todos | todas | nosso | você | eu | isso | ção`,
  ),
  lead: atStart(
    `(?:(?:${words(`
    olha | escuta | só que | só uma coisa | ficou bom | agora(?=,) | ok | okay | tá | certo | não(?=[,.!]) | sim | ei | oi | olá | bom | bem | então | e | mas | também | por favor | pf | pfv | aliás | a propósito | nota | importante | lembrete | obrigad[oa] | valeu | ótimo | perfeito | de novo | outra vez | mais uma vez | como (?:eu )?(?:já )?(?:te )?(?:disse|falei) | repito
    atenção | em geral | só para você saber | uma coisa | outra coisa | regra | além disso | ah | pela última vez | insisto | cara | galera
  `)})[\\s,.:;!–—-]*)+`,
  ),
  tail: atEnd("(?:,? (?:por favor|pf|pfv|obrigad[oa]|valeu|ok|tá))?[\\s.!;,:)–—-]*"),
  resumes: atStart(
    `${FROM_NOW}|${words("prefiro | lembre-se de que | lembre que | não esqueça que | use sempre | nunca | sempre | evite | usamos | a gente usa | pare de | por favor,? (?:sempre|nunca|não)")}`,
  ),
  again: atStart(
    `(?:(?:não|ok|tá|olha|mas|e)[\\s,]+)*(?:pela \\p{L}+ vez|quantas vezes (?:eu )?(?:tenho que|preciso|vou ter que|já)(?: \\p{L}+){0,5}|(?:eu )?repito|(?:eu )?já (?:te |lhe )?(?:disse|falei|avisei)(?: \\p{L}+){0,3}|como (?:eu )?(?:já )?(?:te )?(?:disse|falei)|de novo|mais uma vez|outra vez|insisto)\\s*[,:;!?.–—-]+\\s*`,
  ),
  lasts: lastClause(
    `(?:e |então |por favor,? |pfv,? )*(?:lembre-se (?:disso|disto)|lembra disso|não (?:se )?esque[çc]a(?: disso)?|anota(?: aí)?|guarda isso|grava isso|tenha isso em mente|regra da casa|regra do time|(?:isso )?é (?:a|uma|nossa) (?:regra|norma|convenção|política)(?: (?:aqui|da casa|do time|do projeto))?|é regra(?: (?:aqui|da casa))?|é assim que (?:a gente faz|fazemos)[^,.]{0,20}|(?:isso |isto )?(?:vale|serve|se aplica) (?:para|pra|a) (?:tudo|todos|todas|qualquer|cada)[^,.]{0,30}|(?:isso )?vale sempre|(?:você )?pode (?:adotar|usar|tomar|considerar) (?:isso|isto) como (?:padrão|regra)|(?:adota|adote|usa|use) (?:isso|isto) como (?:padrão|regra)|sem exceç(?:ão|ões)|sempre|toda vez|em todo lugar|por padrão)`,
  ),
  reason: anywhere(
    `,? ${words("porque | pois | senão | então | já que | se não(?=,) | pra não | para não")}.*$|, ${words("a (?:ci|pipeline|build) | isso (?:é|me|quebra|polui|atrapalha) | eu (?:vejo|já|leio|não) | fica | depois (?:eu|a gente)")}.*$`,
  ),
  families: [
    ...family(
      "standing",
      "pattern",
      0.9,
      `(?=.*${FROM_NOW})(?!.*${words("é | são | será | está | funciona | roda em")})(?=.*(?:${DO}|${ALWAYS}|${words("não | quero | queria | gostaria | deve | devemos | tem que | precisa | sem | nada de | só | vamos | que")}))(?:${FROM_NOW}[,:]? )?(?<rest>.+)`,
      `sempre (?:que (?:você |tu )?(?:fizer|adicionar|mudar|alterar|criar|modificar|mexer|escrever|terminar|subir)|${DO}) ?.+`,
      `(?:nunca|jamais) (?:mais )?(?!${words("vi | foi | é | chega | chegou | funciona | funcionou | tinha | tive | acontece | usei")})(?:${DO}|\\p{L}+(?:ar|er|ir|e|a|es|as)(?!\\p{L})).+`,
      `não (?:.*\\s)?(?:nunca|jamais)(?: .*)?`,
      `${DO} (?:.*\\s)?${ALWAYS}(?: .*)?`,
      `(?:(?:você|tu) )?(?:deve|tem que|precisa|deveria|tem de|certifique-se de|garanta que|procure|lembre-se de|não esqueça de|tente) (?:.*\\s)?${ALWAYS}.*`,
      `(?:(?:você|tu) )?(?:não deve|não pode|não precisa|não tem que|não é preciso|não é necessário) (?!${IT}).+`,
      `(?:(?:eu )?já (?:te |lhe )?(?:disse|falei|pedi)|(?:eu )?(?:te|lhe) (?:disse|falei|pedi))(?: mil vezes| várias vezes| muitas vezes| antes)?[,:]? (?:que |para |pra )?(?<rest>.+)`,
      `(?:me pergunt[ea]|pergunt[ea](?:-me)?|me consult[ea]|consult[ea](?:-me)?|me avis[ea]|avis[ea](?:-me)?|peça (?:minha |permissão|confirmação|autorização)\\p{L}*|espere (?:meu|minha) \\p{L}+|confirme comigo|fale comigo)(?: sempre| primeiro)* antes de .+`,
      `(?:quando|toda vez que|sempre que|cada vez que|se|ao) (?:você |tu )?(?!${words("o | a | há | não | quiser | puder | é | for | der | alguém | um | uma")})\\p{L}+(?:r|s)(?!\\p{L})[^,]*, (?:.*\\s)?(?:${DO}|${ALWAYS}|não |tem que|certifique-se).*`,
      `(?:antes|depois) de (?!${words("est[ea] | isso | isto | fazer isso")})[^,]+, (?:.*\\s)?(?:${DO}|${ALWAYS}|tem que|não esqueça).*`,
      `(?:antes de|depois de|após|em|a|para) (?:cada|todo|toda|qualquer) (?:commit|push|mudança|alteração|modificação|merge|pr|release|tarefa|arquivo|ficheiro|resposta|pull|correção|nov[oa]|bug|funcionalidade|feature|migração|refatoração|passo|deploy)[\\p{L}-]*,? .+`,
      `.+ (?:antes de|depois de|após|a|em) (?:cada|todo|toda|fazer cada|qualquer) (?:commit|push|mudança|alteração|merge|pr|release|passo|refatoração|resposta|pull request|deploy)(?: .+)?`,
      `não \\p{L}+ .*(?:sem (?:perguntar|consultar|minha|meu|permissão|avisar|eu |me |pedir|antes)|a menos que eu|até que eu|a não ser que eu).*`,
      `(?!${words("por que | como | quando")})(?:os|as|o|a) \\p{L}+ (?:você |tu )(?:os |as )?\\p{L}+ ${ALWAYS}(?: .*)?(?<!${words("é|são|foi|está")}.*)`,
      `(?:se|quando) (?:algo|houver|tiver dúvida|não estiver claro|alguma coisa)[^,]*, .+`,
      `(?:para mim é|me importa|é) (?:muito )?importante (?:para mim )?que .+`,
      `não (?:adivinhe|suponha|assuma|invente|especule|chute)(?:,| |[.!]|$).*`,
      `não (?:instale|adicione|execute|use|importe|apague|mexa) (?:em )?nada (?!${words("mais | disso | disto")}).+`,
      `não (?:mexa|toque|modifique|altere|edite|mude) (?:n?[oa]s? |em )?(?:arquivos? gerados?|ficheiros? gerados?|\\S+\\.\\p{L}+|pasta \\S+|código gerado).*`,
      `(?:você )?pode (?:dispensar|pular|omitir|economizar|deixar de fora) .+`,
      `${DO}(?:-me)? (?!.*${IT})(?:.*\\s)?(?:em todo lugar|em todo o (?:código|projeto)|no máximo|no mínimo|sem exceção|no formato|de forma consistente|em toda parte)(?!\\p{L}).*`,
      `(?:nomeie|formate|documente|comente|escreva|redija|ordene|explique) (?:sempre |todos |todas |seus |suas )*${TOPIC} (?!.*${IT})(?!.*${words("para (?:o|a|os|as)")}).+`,
      `(?:me trate|trate-me|me chame|fale comigo) .+`,
      `pense sempre .+`,
      `(?:respostas|commits|comentários|explicações|resumos|funções|prs) (?:mais |bem )?(?:curt[oa]s|breves|pequen[oa]s|concis[oa]s|em \\p{L}+).*`,
      `(?:menos|mais) (?:comentários|explicações|emojis|resumos)(?:[ ,.!].*|$)`,
      `(?:d?[oa]s?) .+ (?:cuido eu|eu cuido|eu mesmo (?:faço|mantenho|atualizo)|eu mantenho|eu atualizo|eu que (?:faço|mantenho|atualizo|cuido)).*`,
      `deixe? (?:o|a|os|as) \\S+ (?:em paz|como está|intact[oa]s?|quiet[oa]s?|sem mexer).*`,
      `(?:combinamos|decidimos|padronizamos|a gente (?:combinou|decidiu|padronizou)) .+`,
      `você (?:vive|continua|fica) (?:esquecendo|usando|adicionando|colocando|fazendo) .+`,
      `me (?:irrita|incomoda) (?:quando|que) .+`,
      `(?:tem que|você deve|é preciso|precisa) (?!${IT})(?!${words("corrigir | arrumar | adicionar | mudar | olhar")}).*${words("antes de | depois de | em cada | a cada | para cada | sem")}.*`,
      `(?:antes|depois) de \\p{L}+r (?!${IT})[^,]*, (?:me |sempre |não |por favor )*(?:${DO}|\\p{L}+-me|me \\p{L}+|consult\\p{L}+|quero).*`,
      `(?:quando|sempre que|toda vez que|se|assim que) (?:você |tu )?(?:me |for |precisar |estiver )*(?!${words("é | há | quiser | puder | houver | abro | eu")})\\p{L}+(?:r|res)(?!\\p{L}) [^,]*, (?:me |não |sempre |por favor |primeiro )*(?:${DO}|me \\p{L}+|\\p{L}+-me|pergunt\\p{L}+|us[ae]).*`,
      `(?:toda vez que|sempre que|cada vez que|quando) (?:você |tu )?(?!${words("é | há | quiser | puder | houver | abro | eu | o | a | der | for")})\\p{L}+r (?!${IT})[^,]+, (?!${words("o | a | os | as | ele | ela | dá | aparece | trava")}).+`,
      `[oa]s? [^,]{2,30} (?:eu mesm[oa]|eu que|sou eu que|sou eu quem) .+`,
      `(?:dá pra|dá para|pode|poderia|você pode|você poderia) (?:por favor )?parar de .+`,
      `(?:se acostum[ae]|acostume-se) a .+`,
      `(?:me )?expli(?:ca|que)(?:-me)? (?:as coisas|tudo|os conceitos|sempre)(?: .+)`,
      `(?:[\\p{L}.-]+ ){1,5}(?:vão|vai|ficam|fica|são|sempre) (?:sempre )?(?:em|no) (?:maiúsculas|minúsculas|singular|plural|inglês|português|imperativo|snake_case|camelCase)(?:[ ,.!].*|$)`,
      `[oa]s? .+ quem (?:escreve|faz|mantém|atualiza|cuida|publica) (?:disso )?sou eu.*`,
      `\\p{L}+ nov[oa]s? (?:sempre|nunca|só) .+`,
      `(?:.+ )?sem (?:me (?:consultar|perguntar|avisar|falar)|(?:o )?meu (?:ok|aval|consentimento)|(?:a )?minha (?:aprovação|permissão|autorização)|falar comigo)(?: .*)?`,
      `(?:.+ )?(?:precisa|precisam|requer|requerem|depende|dependem) (?:d[eoa] )?(?:meu|minha) (?:ok|aval|aprovação|permissão|autorização|confirmação)(?: .*)?`,
      `(?:tod[oa]s?|cada|qualquer) (?:os |as |o |a )?(?:${TOPIC}|pr|endpoint|função|variável|commit|teste|tabela|coluna|mensagem|branch|componente|serviço|migração)(?: \\S+){0,4}? (?:leva|levam|tem que|têm que|tem|vai|vão|precisa|precisam|deve|devem|fica|ficam|usa|usam|segue|seguem|começa|começam|vem|passa|passam|é|são|ganha|recebe) (?!${words("quebrad[oa]s? | falhando | lent[oa]s?")}).+`,
      `(?:os|as|nossos|nossas|o|a) (?:${TOPIC}|nomes? de \\p{L}+|tabelas|colunas|datas|valores|textos|constantes|rotas|chaves)(?: \\S+){0,3}? (?:são|ficam|fica|vão|vai|vêm|seguem|usam|levam|começam|têm|se (?:escrevem|chamam)|moram) (?!${words("quebrad[oa]s? | falhando | lent[oa]s? | no vermelho | vermelh[oa]s?")}).+`,
      `(?:corta|corte|tira|tire|dispensa|dispense|poupe-me d[eoa]s?|me poupe d[eoa]s?|chega de|menos|larga) (?:os |as |o |a |seus |suas |tanto |tanta |tantos |tantas )*(?:emojis?|resumos?|desculpas|introduç(?:ão|ões)|explicaç(?:ão|ões)|elogios|enrolação|conclus(?:ão|ões)|rodeios)(?!.*${words("dess[ea] | dest[ea] | ness[ea] | nest[ea]")}).*`,
      `(?:eu )?(?:não preciso|dispenso|não quero) (?:de |d[oa] |um |uma |o |a |que você |seu |sua )*(?:\\S+ )?(?:resum|explica|desculp|introdu|conclus|emoji|comentári|detalh|repit|repet)\\p{L}*.*`,
      `(?:um|uma) (?:commit|pr|branch|teste|classe|arquivo|migração) (?:por|=) .+`,
      `(?:nada de|chega de) [\\p{L}\u0001\u0002].{2,60}`,
      `não (?:mexe|mexa|toca|toque|encosta) (?:n?[oa]s? |em )(?!${IT})(?!.*${words("ainda | agora")}).+`,
      `tira a mão d[eoa]s? .+|longe d[eoa]s? .+`,
      `(?:pare|para|parem|deixe) de (?!${words("fazer isso | fazer isto")}).+`,
      `(?:nada de|nenhum|nenhuma|zero|chega de|sem mais|sem) (?!${words("problema | problemas | erro | erros | ideia | isso | isto | mudança | dúvida | querer | pressa")})(?!.*${words("é | são | está | há | funciona | foi")})(?:\\S+ ){0,6}(?:${words("em | no | na | nos | nas | por favor | de | para | com | sem | por padrão")}).*`,
      `não (?:me |lhe )?(?:use|uses|utilize|adicione|adiciones|coloque|escreva|faça|crie|mexa|toque|modifique|altere|edite|apague|remova|comente|explique|instale|importe|mocke|suba|commite|assuma|invente|resuma|repita|peça|deixe|inclua|gere|mude|renomeie|formate|reformate|misture|ignore|silencie|abuse|traduza|dê|diga|ponha|envie|force) (?!${words("o | a | os | as | um | uma | mais(?=[.!]?$) | nada(?=[.!]?$)")})(?!${IT}).+`,
      `(?:eu )?não quero (?:ver |que |mais |nenhum |nenhuma |encontrar )?(?!${IT}).+`,
      `${DO}(?:-me)? (?!.*${IT}).*${words("em (?:português|inglês|espanhol|francês|alemão)")}.*`,
    ),
    ...family(
      "preference",
      "pattern",
      0.85,
      `(?:pra|para|em|com|no|na|nos|nas) (?!${IT})[^,]{2,40},? (?:eu )?prefiro .+`,
      `(?:eu )?sou (?:mais|muito) (?:de|fã de|por) (?!${IT}).+|(?:eu )?não sou (?:muito )?fã de (?!${IT}).+`,
      `(?:eu )?(?:prefiro|odeio|detesto|adoro|não gosto|não suporto)(?! (?:isso|isto|essa|esse|este|esta|a primeira|a segunda|o primeiro|a opção|sua|assim)(?!\\p{L})) .+`,
      `(?:eu )?(?:gosto|gostaria)(?: mais| muito)? (?:que você|que tu|de (?!isso|isto)|quando você|quando|que ).+`,
      `(?:eu )?(?:quero|queria|preciso|espero) (?:.*\\s)?(?:${ALWAYS}|${words("em cada | antes de cada | depois de cada | para cada | a cada")}).*`,
      `(?:minha preferência|meu estilo|meu editor|meu shell|minha língua|meu idioma|meu nome|meu fuso(?: horário)?|meu sistema|meu terminal|meu teclado|minha convenção) (?:é|são) .+`,
      `${DO} (?!${words("o | a | os | as | um | uma | aqui")})(?!${IT})\\S+(?: \\S+){0,3},? (?:em vez d[eoa]s?|ao invés d[eoa]s?|no lugar d[eoa]s?|e não|não|em lugar de) (?!${IT}).+`,
      `(?:us[ea]|utilize|prefira|prefere|empregue) (?:os |as |o |a )?\\S+(?: \\S+){0,3} (?:em vez d[eoa]s?|ao invés d[eoa]s?|no lugar d[eoa]s?|a|ao) .+`,
      `(?:em vez d[eoa]s?|ao invés d[eoa]s?|no lugar d[eoa]s?) \\S+(?: \\S+)?,? (?:us[ea]|utilize|escreva|coloque|faça).+`,
      `(?:evit[ea]|evitar|priorize|limite-se a|abstenha-se de|trat[ea]|procure) (?!${IT})(?!${words("o erro")}).+`,
      `(?:mantenha|mantém|faça|seja|dê|me dê|escreva|responda(?: de forma)?|quero) (?:as |os |suas |umas |mais |bem |sempre |respostas |commits |mensagens |explicações |funções |resumos |prs |de forma |de maneira )*(?:curt[oa]s?|concis[oa]s?|breves?|pequen[oa]s?|simples|brevemente|suscint[oa]s?|sucint[oa]s?|diret[oa]s?)(?: .+)?`,
    ),
    ...family(
      "convention",
      "insight",
      0.85,
      `(?:neste|nesse|no nosso|em nosso|em todo o|no|para este) (?:repo|repositório|projeto|código|time|equipe|monorepo)\\p{L}*,? .*${words("usamos | utilizamos | sempre | nunca | não | use | usa | utilize | só | somente | apenas | tem que | a gente | seguimos | escrevemos | fazemos | trabalhamos | se")}.*`,
      `aqui,? ${TOPIC} .+`,
      `(?:aqui|no time|na equipe|na empresa|no meu time),? (?:a gente |nós |não |só |se )*(?:usamos|utilizamos|escrevemos|fazemos|seguimos|trabalhamos|usa|utiliza|usam|nunca|sempre|testamos|segue|escreve|faz).+`,
      `(?:nós |a gente )?(?:não |nunca |sempre |só |somente |apenas )?(?:usamos|utilizamos|escrevemos|fazemos|seguimos|trabalhamos com|testamos|implantamos|formatamos|guardamos|nomeamos|colocamos|preferimos|documentamos|mockamos|versionamos|commitamos|permitimos|mantemos) (?!${words("agora | isso | isto")})(?:.*${words("aqui | sempre | nunca | não | só | apenas | somente | em | para | com | como | cada | por | e | sem | os | as | no | na | nos | nas")}.*|\\S+(?: \\S+)?[.!\\s]*$)`,
      `a gente (?:não |nunca |sempre |só )?(?:usa|utiliza|escreve|faz|segue|trabalha com|testa|prefere|coloca|guarda|mantém|formata|commita) (?!${words("agora | isso | isto")}).+`,
      `(?:para|em|com|nas|nos) (?!${words("est[ea]s? | ess[ea]s? | isso")}).+ (?:usamos|utilizamos|colocamos|seguimos|escrevemos|a gente usa) (?!${words("agora | isso")}).+`,
      `(?:eu )?(?:trabalho|desenvolvo|programo) (?:no|na|em|com|sob) (?:o )?(?:windows|mac\\p{L}*|linux|ubuntu|wsl|powershell|vim|neovim|emacs|vs ?code)\\p{L}*.*`,
      `não (?:fazemos (?:deploy|push|merge|commits?)|implantamos|publicamos|subimos) .+`,
      `noss[oa]s? (?!${words("últim[oa]s? | próxim[oa]s?")})(?:.*\\s)?(?:convenção|regra|padrão|estilo|mensagens|commits|testes|branches|código|time|equipe)(?: de \\p{L}+)? (?:é|são|devem?|segue|seguem|começam|usa|usam|vão) .+`,
      `${TOPIC}(?: \\S+){0,3},? (?:sempre |só |são |ficam )*(?:em|no) (?:português|inglês|espanhol|imperativo|singular|plural|minúsculas|maiúsculas|snake_case|camelCase)(?:[ ,.!].*|$)`,
      `${TOPIC} (?:sempre |nunca |só |somente |apenas )*(?:${words("sempre | nunca | devem? | deveriam | têm que | precisam | em (?:português|inglês|espanhol) | no imperativo | sem | vão | ficam | só | somente | apenas | não devem? | não levam | começam | não se | não podem")}).*`,
      `.+ (?:está|estão|fica|ficam|é|são) (?:totalmente |estritamente |terminantemente )?(?:proibid[oa]s?|vetad[oa]s?|obrigatóri[oa]s?|vedad[oa]s?)(?: .*)?[.!\\s]*`,
      `(?:proibid[oa]s?|é proibido|fica proibido) .+`,
    ),
    ...family(
      "remember",
      "self_knowledge",
      0.9,
      `(?:lembr[ea](?:-se|-te)?|se lembre(?: de)?|não (?:se )?esqueç[ao]s?|não se esqueça(?: de)?|tenha em mente|leve em conta|anot[ea]|tome nota(?: de)?|memoriz[ea]|guarde|saiba)(?: bem| também| sempre| para (?:o futuro|depois|a próxima))*[,:]? (?:de )?que (?<rest>.+)`,
      `(?:lembr[ea](?:-se)?|anot[ea](?: aí)?|tome nota|para lembrar|memoriz[ea]|guarde)(?: bem| isso| isto| para (?:o futuro|depois))?: ?(?<rest>.+)`,
    ),
  ],
  question: atStart(
    words(`
    por que | por quê | porque | como(?! (?:regra|padrão)) | o que | que | qual | quais | onde | quem | quando é | (?:você |tu )?pode(?:ria)?(?! (?:parar de|dispensar|pular|omitir|economizar|deixar de fora)) | podemos | deveríamos | deveria | você (?:usa|fez|tem|acha|quer|usou) | dá (?:para|pra)(?! parar de) | acha | sabe | quer | devo
  `),
  ),
  supposed: anywhere(
    words(`
    talvez | quem sabe | possivelmente | provavelmente | acho que | creio que | penso que | suponho | suponha | imagine | parece | aparentemente | por exemplo | em teoria | me pergunto | não tenho certeza | e se | seria (?!bom que|ótimo que|melhor que) | poderia | poderiam | depende
  `),
  ),
  oneOff: anywhere(
    words(`
    desta vez | dessa vez | só desta vez | só dessa vez | hoje(?! em) | (?<!partir de |de |desde )agora(?! em) | por enquanto | por ora | no momento | neste momento | agora mesmo | atualmente | amanhã | ontem | esta (?:noite|semana) | até (?!que eu) | ainda | excepcionalmente | acima | abaixo(?! de) | já está
    (?:em |para |de |com |a |sobre )?(?:este|esta|estes|estas|esse|essa|esses|essas|neste|nesta|nesse|nessa|deste|desta|desse|dessa|o próximo|a próxima|o último|a última|o novo|a nova|no próximo|no último) (?:novo |nova )?(?:prs?(?!\\p{L})|pull|commit|arquivo|ficheiro|arquivos|função|método|classe|teste|testes|tarefa|branch|funcionalidade|feature|bug|ticket|issue|passo|linha|caso|mudança|alteração|modificação|refatoração|migração|release|script|comando|erro|sessão|endpoint|módulo|componente|página|versão)[\\p{L}-]*
    opção \\d | passo \\d | linha \\d+ | em seguida
  `),
  ),
  others: anywhere(
    words(`
    (?:ele|ela|eles|elas|cliente|clientes|chefe|colega|colegas|revisor|reviewer|doc|documentação|readme|linter|compilador|copilot|cursor|alguém|usuários?|utilizadores|pessoal|gerente|artigo|blog|tutorial|time de \\p{L}+|equipe de \\p{L}+|claude\\.md|agents\\.md) (?:me |nos |sempre |também |já |não )*(?:diz|dizem|disse|falou|fala|quer|querem|queria|pensa|pensam|sugere|sugeriu|pede|pedem|pediu|escreve|escreveu|recomenda|recomendam|recomendou|prefere|preferem|aconselha|exige|insiste|acha|afirma)
    (?<!eu |você )(?:quer|querem|pede|pedem|exige|pediu|insiste) (?:que|pra|para) (?:a gente|nós|todos|o time|eu)
    segundo | de acordo com | conforme | está escrito | pelo visto
  `),
  ),
  pointers: anywhere(
    `${words("isso | isto | assim | o mesmo | a mesma coisa | aquilo | nisso | disso | nisto | disto | aí | lá | esse | essa")}|\\p{L}+-l[oa]s?(?!\\p{L})`,
  ),
  statements: anywhere(
    words(
      "(?:deve|devem|tem que|têm que|deveria) .*(?:visível|visíveis|aparecer|mostrar|exibid[oa]s?|arredondad[oa]s?|ordenad[oa]s?) | os (?:usuários|clientes) | n[oa] (?:meu|minha) (?:antig[oa]|últim[oa]) \\p{L}+ | antes (?:usávamos|a gente|era|fazíamos) | costumávamos | até agora | sempre \\p{L}+(?:ava|inha|azia|izia)m? | deve-se | recomenda-se | convém | durante (?:a|o|esta) | (?:a|o|os|as|um|uma|cada) (?:função|método|api|endpoint|servidor|botão|página|componente|usuário|usuários|aplicação|tabela|campo|consulta|script|cache|formulário|lista|menu|cliente|serviço) (?:deve|devem|deveria|não deve|pode|retorna|é|tem|está) | porque | pois | já que | não funciona | continua (?:falhando|sem) | sempre (?:falha|retorna|dá|lança|sai|é|está|ocorre|acontece|quebra) | nunca (?:é|foi|chega|termina|retorna|falha|são) | é sempre | está sempre | não há | não (?:sei|entendo|entendi|vejo|lembro|encontro|encontrei|consigo|tenho) | (?<!que )você sempre | sempre (?:esquece|faz isso) | você (?:usou|fez|esqueceu) | sem problema",
    ),
  ),
};
