import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const LOCALES =
  `af am ar as az be bg bn bo br bs ca ceb chr cs cy da de dz ee el en en-AU eo es et eu fa fi fil fo fr fy ga gd gl
  gu ha he hi hr hu hy id ig is it ja jv ka kk km kn ko kok ks ku ky lb lo lt lv mai mg mi mk ml mn mr ms mt my nb ne nl nn
  om or pa pl ps pt qu rm ro ru rw sa sc sd se si sk sl so sq sr sr-Latn su sv sw ta te tg th ti tk to tr tt ug uk ur uz vi
  wo xh yi yo yue zh zh-Hant zu`.split(/\s+/);

/** Words and characters that have rules of their own. */
const ODD = [
  "İstanbul ISPARTA ılık İİ ıI",
  "ΟΔΥΣΣΕΥΣ Σίσυφος ς σ Σ ΑΣ. ΑΣα",
  "ß ẞ STRASSE straße",
  "ǅ ǆ Ǆ ﬁ ﬄ Ĳ",
  "Å Å Å Ω Ω K K",
  "한국어 한국어 ㅎㅏㄴ",
  "ก็ที่นี่ สวัสดี น้ำ",
  "नमस्ते क्षत्रिय हिन्दी",
  "שָׁלוֹם שלום עולם",
  "مُحَمَّد مرحبا بالعالم ١٢٣",
  "ភាសាខ្មែរ မြန်မာ ລາວ",
  "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𝐁𝐨𝐥𝐝 𝒮𝒸𝓇𝒾𝓅𝓉 𝟘𝟙𝟚",
  "ｆｕｌｌｗｉｄｔｈ ＡＢＣ １２３ ！？",
  "① ② ㊀ ㈱ Ⅷ ⅷ ½ ² ₂ ™ ℃",
  "日本語とEnglishの混在",
  "漢字カタカナひらがな々〆ヶ",
  "𠀀𠮷野家 㐀㒨 豈更 𪜀𫝀𫠠 丽",
  "👩‍👩‍👧‍👦 👍🏽 🇩🇪 1️⃣ ❤️ ☺︎ 🏴󠁧󠁢󠁥󠁮󠁧󠁿",
  "a\u0301e\u0308 n\u0303 Z\u0351\u036b\u0343",
  "co\u00adop zero\u200bwidth\u200djoin\u2060er \ufeffbom",
  "no\u00a0break\u2003em\u3000ideo\u1680ogham\u205f\u2028line\u2029par",
  "nul\u0000in\u0001side \u007fdel \u0085nel \u000b\u000c\u001c\u001f",
  "\ue000private\uf8ff\u{f0000}\u{10fffd}",
  "\ufffd re\ufffdplaced",
  "≠ ≮ ≯ ∉ ⊄ \u037e \u1fef \u2260",
  "[MASK] [CLS]x[SEP] [UNK][PAD] [mask] [MASK [[MASK]]",
  "getUserName HTTPServer parseJSON2XML iOS eBay snake_case kebab-case SCREAMING_CASE a1B2",
  "aB\u0000C a\u0301B éB aÉb",
  "don't it’s ‘quoted’ “double” «guillemets» …",
  "C++ C# F# .NET @types/node $HOME ~/.bashrc `code` a|b a^b",
  "https://example.com/a/b?c=d&e=f#g user@example.org",
  "192.168.0.1:8080 2001:db8::1 v1.2.3-rc.4+build 0xDEADBEEF 1e-9",
  "1.234,56 € ¥1,000 £5 ₹ 100% ‰ §4 №7",
  '\\n \\t \\u0041 %20 &amp; <div class="x">',
];
const EMOJI = [..."😀🤖🚀🔥🎉👩🧑🏽👍❤☺✅🐛♻📝🏳🌈⚡🇯🇵"];
const JOINTS = ["", "", " ", " ", " ", "\u200d", "\ufe0f", "\u{1f3fd}", "\u20e3"];
const CONTROLS = [
  ..."\u0000\u0001\u0008\u000b\u000c\u001b\u007f\u0080\u0085\u009f\u00ad\u0600\u061c\u200b\u200d\u200e\u202e\u2060\u2066\ufeff\ufffd\ufff9\ue000\u{e0001}\u{f0000}",
];
const SPACES = [..." \t\n\r\u00a0\u1680\u2000\u2003\u2009\u2028\u2029\u202f\u205f\u3000"];
const MARKS = [
  ..."\u0300\u0301\u0302\u0303\u0308\u030a\u0327\u0338\u0345\u20dd\u0483\u05b0\u064e\u093c\u0e34\u3099\u1dc0\ufe20",
];
const ASCII = [..."abcdefghijklmnopqrstuvwxyzABCXYZ0129_-.,:;!?'\"()[]{}<>/\\|@#$%^&*+=~` "];

/** About 10,000 texts, the same for the same Node. `isUsed` says which characters may occur. */
export function textsFor(root: string, vocabulary: string, isUsed: (code: number) => boolean): string[] {
  const random = generator(20_261_116);
  const below = (count: number) => Math.floor(random() * count);
  const one = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const some = (most: number, make: () => string, joint = "") =>
    Array.from({ length: 1 + below(most) }, make).join(joint);
  const times = (count: number, make: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => make(i));

  const pieces = readFileSync(vocabulary, "utf8")
    .split("\n")
    .filter((piece) => piece !== "" && !piece.startsWith("["));
  const letters = pieces.map((piece) => piece.replace(/^##/, ""));
  const code = globSync("{src,scripts,test,docs}/**/*.{ts,mjs,md}", { cwd: root })
    .sort()
    .flatMap((path) => readFileSync(join(root, path), "utf8").split("\n"));
  const assigned = Array.from({ length: 0x323b0 }, (_, at) => at).filter(
    (at) => isUsed(at) && !/[\p{Cn}\p{Cs}]/u.test(String.fromCodePoint(at)),
  );
  const bmp = assigned.filter((at) => at < 0x10000);
  const block = () => {
    const from = below(assigned.length);
    return assigned.slice(from, from + 48).map((at) => String.fromCodePoint(at));
  };
  const spoken = LOCALES.flatMap(phrases);

  return [
    ...ODD,
    ...times(3200, () => some(4, () => one(spoken), one([" ", ", ", "\n", "/"]))),
    ...times(1500, () => {
      const from = below(code.length);
      return code.slice(from, from + 1 + below(6)).join("\n");
    }),
    ...times(1500, () => {
      const list = block();
      return some(24, () => (random() < 0.15 ? " " : one(list)));
    }),
    ...times(800, () => some(30, () => (random() < 0.2 ? one(ASCII) : String.fromCodePoint(one(bmp))))),
    ...times(1200, () =>
      some(
        8,
        () => some(4, () => (random() < 0.1 ? one(letters).toUpperCase() : one(letters))),
        one([" ", "-", "_", ""]),
      ),
    ),
    ...times(500, () => some(16, () => one(EMOJI) + one(JOINTS))),
    ...times(500, () => some(12, () => one(letters) + one(CONTROLS) + (random() < 0.3 ? one(SPACES) : ""))),
    ...times(300, () => some(20, () => one(ASCII) + one(MARKS).repeat(below(3)))),
    ...times(300, () => some(40, () => one(ASCII))),
    ...times(150, () => one([...ASCII, ..."éΣ字한𝔘"]).repeat(95 + below(12)) + one(ODD)),
    ...times(40, () =>
      times(90, () => one(code))
        .join("\n")
        .slice(0, 3000),
    ),
  ].map((text) => [...text.toWellFormed()].filter((letter) => isUsed(letter.codePointAt(0) ?? 0)).join(""));
}

/** What a locale calls places, languages and dates. */
function phrases(locale: string): string[] {
  const regions = new Intl.DisplayNames(locale, { type: "region" });
  const languages = new Intl.DisplayNames(locale, { type: "language" });
  const currencies = new Intl.DisplayNames(locale, { type: "currency" });
  const day = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "long", timeZone: "UTC" });
  const ago = new Intl.RelativeTimeFormat(locale);
  const units = ["kilometer-per-hour", "megabyte", "celsius", "liter"].map(
    (unit) => new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }),
  );
  return [
    ...["DE", "JP", "BR", "CI", "TR", "GR", "AX", "US", "ZA", "IN"].map((region) => regions.of(region) ?? ""),
    ...["de", "zh-Hant", "pt-BR", "tr", "vi", "grc", "sr-Latn"].map(
      (language) => languages.of(language) ?? "",
    ),
    ...["EUR", "INR", "TRY", "ISK"].map((currency) => currencies.of(currency) ?? ""),
    ...[0, 5e11, 1.2e12, 1.8e12].map((time) => day.format(time)),
    ...(["day", "week", "month", "year"] as const).map((unit) => ago.format(-3, unit)),
    ...units.map((unit) => unit.format(12345.6)),
  ];
}

/** mulberry32 */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
