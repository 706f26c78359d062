"""Measures a table of meaning on the development halves of the benchmark data.

    BENCH=/folder QUESTIONS=dev.json python3 evaluate.py TABLE_FOLDER [OTHER_TABLE_FOLDER]

Prints MRR, first and top 3 of words alone, meaning alone and both, and with two tables the
paired bootstrap of their difference. BENCH holds coding-sessions, locomo, beam and vaults;
QUESTIONS is the project's own set of questions in other words (optional).
"""
import gzip
import json
import math
import os
import random
import re
import sys

import numpy as np
from tokenizers import Tokenizer

STOP = set(
    "a an and are as at be been but by can could did do does for from had has have he her his how i if in into is it its me my no "
    "not of on or our she should so some than that the their them then there they this to up us was we were what when where which "
    "who why will with would you your".split()
)
CHUNK = 1500
PIECES = 254


def split_camel(text):
    return re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", text)


class Pieces:
    """BERT's uncased word pieces of texts, without [CLS] and [SEP]."""

    def __init__(self, path):
        self.tokenizer = Tokenizer.from_file(path)
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()

    def __call__(self, texts):
        coded = self.tokenizer.encode_batch([split_camel(t[:6000]) for t in texts], add_special_tokens=False)
        return [c.ids[:PIECES] for c in coded]


def words(text):
    return [stem(w) for w in re.findall(r"[a-z0-9]+", split_camel(text).lower()) if w not in STOP]


def stem(word):
    for end in ("ing", "edly", "ed", "es", "s", "ly"):
        if word.endswith(end) and len(word) - len(end) >= 3:
            return word[: -len(end)]
    return word


def bm25(passages, queries):
    """Scores as a share of what each query could reach: one row a query."""
    postings, lengths = {}, []
    for i, passage in enumerate(passages):
        seen = {}
        for word in words(passage):
            seen[word] = seen.get(word, 0) + 1
        lengths.append(sum(seen.values()) or 1)
        for word, n in seen.items():
            postings.setdefault(word, []).append((i, n))
    lengths, n_all = np.array(lengths, dtype=np.float32), len(passages)
    norm = 1.2 * (0.25 + 0.75 * lengths / lengths.mean())
    scores = np.zeros((len(queries), n_all), dtype=np.float32)
    for row, query in enumerate(queries):
        possible = 0.0
        for word in set(words(query)):
            found = postings.get(word, [])
            idf = math.log(1 + (n_all - len(found) + 0.5) / (len(found) + 0.5))
            possible += idf * 2.2
            if found:
                at, n = np.array(found, dtype=np.int64).T
                scores[row, at] += idf * n * 2.2 / (n + norm[at])
        scores[row] /= possible or 1
    return scores


def chunks(text):
    return [text[i : i + CHUNK] for i in range(0, max(1, len(text)), CHUNK)]


def numbers_in(value):
    if isinstance(value, int):
        return {value}
    if isinstance(value, str):
        return {int(n) for n in re.findall(r"\d+", value)}
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return set().union(*[numbers_in(v) for v in inner]) if inner else set()


def read_packs(bench, questions):
    """{row: [(passages, their owners, [(query, right owners)])]}."""
    rows = {"coding": [], "locomo turn": [], "locomo session": [], "beam": [], "vault": []}
    with gzip.open(f"{bench}/coding-sessions/sessions-dev.jsonl.gz", "rt") as file:
        sessions = [json.loads(line) for line in file]
    commits = json.load(open(f"{bench}/coding-sessions/commits-dev.json"))
    parts = [(c, s["session_id"]) for s in sessions for _, _, text in s["messages"] for c in chunks(text)]
    plain = lambda t: [w for w in re.findall(r"[a-z0-9]+", t.lower()) if w not in STOP]
    rows["coding"].append((*zip(*parts), [(c["subject"], set(c["gold_sessions"])) for c in commits if len(plain(c["subject"])) >= 3]))
    for talk in json.load(open(f"{bench}/locomo/locomo-dev.json")):
        turns = []
        for key, said in talk["conversation"].items():
            if re.fullmatch(r"session_\d+", key) and isinstance(said, list):
                turns += [(f"{t['speaker']}: {t['text']} {t.get('blip_caption', '')}", t["dia_id"]) for t in said]
        texts, ids = zip(*turns)
        asked = [(q["question"], {i for e in q.get("evidence", []) for i in re.findall(r"D\d+:\d+", e)} & set(ids)) for q in talk["qa"]]
        asked = [q for q in asked if q[1]]
        session = lambda i: i[1:].split(":")[0]
        rows["locomo turn"].append((texts, ids, asked))
        rows["locomo session"].append((texts, [session(i) for i in ids], [(q, {session(i) for i in g}) for q, g in asked]))
    for chat in json.load(gzip.open(f"{bench}/beam/beam-100k-dev.json.gz")):
        texts, ids = zip(*[(c, m["id"]) for m in chat["messages"] for c in chunks(m["content"])])
        asked = [(q["question"], numbers_in(q.get("source_chat_ids", [])) & set(ids)) for kind in chat["questions"].values() for q in kind]
        rows["beam"].append((texts, ids, [q for q in asked if q[1]]))
    notes = {}
    for folder, _, names in os.walk(f"{bench}/vaults"):
        for name in names:
            if name.endswith(".md"):
                notes[name[:-3].lower().replace("___", "/")] = open(os.path.join(folder, name), errors="replace").read()
    asked = []
    for name, text in notes.items():
        for line in text.split("\n"):
            for link in re.findall(r"\[\[([^\]|#]+)", line):
                right, query = link.strip().lower(), re.sub(r"\[\[[^\]]*\]\]", "", line).strip(" -*")
                if right in notes and right != name and len(plain(query)) >= 4:
                    asked.append((query, {right}))
    random.Random(1).shuffle(asked)
    texts, owners = zip(*[(c, name) for name, text in notes.items() for c in chunks(f"{name}\n{text}")])
    rows["vault"].append((texts, owners, asked[:300]))
    if questions and os.path.exists(questions):
        own = json.load(open(questions))
        texts, owners = zip(*[(c, n["id"]) for n in own["notes"] for c in chunks(f"{n['title']}\n{n['text']}")])
        for kind in sorted({q["kind"] for q in own["questions"]}):
            rows[f"own {kind}"] = [(texts, owners, [(q["query"], {q["note"]}) for q in own["questions"] if q["kind"] == kind])]
    return rows


class Measure:
    def __init__(self, bench, questions, tokenizer):
        pieces, self.rows = Pieces(tokenizer), {}
        for row, packs in read_packs(bench, questions).items():
            self.rows[row] = []
            for texts, owners, asked in packs:
                if not asked:
                    continue
                names, owner = np.unique([str(o) for o in owners], return_inverse=True)
                order = np.argsort(owner, kind="stable")
                right = np.zeros((len(asked), len(names)), dtype=bool)
                at = {n: i for i, n in enumerate(names)}
                for i, (_, gold) in enumerate(asked):
                    right[i, [at[str(g)] for g in gold]] = True
                texts = [texts[i] for i in order]
                self.rows[row].append({
                    "passages": pieces(texts), "queries": pieces([q for q, _ in asked]), "right": right,
                    "starts": np.flatnonzero(np.r_[True, np.diff(owner[order]) > 0]), "words": bm25(texts, [q for q, _ in asked]),
                })

    def __call__(self, vectors, passage_form=None):
        """{row: {form: ranks of the first right owner}}; `vectors` turns lists of pieces into unit rows."""
        out = {}
        for row, packs in self.rows.items():
            ranks = {}
            for pack in packs:
                passages = vectors(pack["passages"])
                if passage_form:
                    passages = passage_form(passages)
                near = vectors(pack["queries"]) @ passages.T
                for form, score in forms(pack["words"], near):
                    best = np.maximum.reduceat(score, pack["starts"], axis=1)
                    top = np.where(pack["right"], best, -np.inf).max(1, keepdims=True)
                    first = np.where(pack["right"] & (best == top), np.arange(best.shape[1]), best.shape[1]).min(1, keepdims=True)
                    before = (best > top) | ((best == top) & (np.arange(best.shape[1]) < first))
                    ranks.setdefault(form, []).append(1 + before.sum(1))
            out[row] = {form: np.concatenate(r) for form, r in ranks.items()}
        return out


def forms(word, near):
    positive = np.maximum(near, 0)
    z = (near - near.mean(1, keepdims=True)) / (near.std(1, keepdims=True) + 1e-9)
    yield "words", word
    yield "meaning", near
    for share in (0.25, 0.35, 0.5):
        yield f"{share}", (1 - share) * word + share * positive
    yield "z", word + 0.05 * np.maximum(z - 1, 0)


def mrr(ranks):
    return float(np.mean(1 / ranks))


def mean_of_rows(result, form, rows=("coding", "locomo turn", "locomo session", "beam", "vault")):
    return float(np.mean([mrr(result[row][form]) for row in rows]))


def line(result, forms_shown=("words", "meaning", "0.25", "0.35", "0.5", "z")):
    """One line a row: MRR/first/top 3 of each form."""
    lines = []
    for row in result:
        cells = []
        for form in forms_shown:
            r = result[row][form]
            cells.append(f"{form} {mrr(r):.3f}/{np.mean(r == 1):.2f}/{np.mean(r <= 3):.2f}")
        lines.append(f"  {row:16s} n {len(r):4d}  " + "  ".join(cells))
    lines.append("  mean of five rows     " + "  ".join(f"{f} {mean_of_rows(result, f):.3f}" for f in forms_shown))
    return "\n".join(lines)


def bootstrap(ranks, others=None, times=2000, seed=1):
    """Mean reciprocal rank, or its paired difference, with its 95% interval."""
    value = 1 / ranks if others is None else 1 / ranks - 1 / others
    pick = np.random.default_rng(seed).integers(0, len(value), (times, len(value)))
    low, high = np.percentile(value[pick].mean(1), [2.5, 97.5])
    return float(value.mean()), float(low), float(high)


def read_table(folder):
    values = np.fromfile(f"{folder}/table-256.i8", dtype=np.int8).reshape(30522, -1).astype(np.float32)
    return values * np.fromfile(f"{folder}/scales.f16", dtype="<f2").astype(np.float32)[:, None]


def four_bits(rows):
    """Rows as 4 bits a value (-7 to 7) with the scale that loses least of each row, as floats again."""
    top = np.abs(rows).max(1, keepdims=True) + 1e-12
    best, best_loss = None, None
    for share in (1.0, 0.9, 0.8, 0.7, 0.6, 0.5):
        scale = top * share / 7
        back = np.clip(np.round(rows / scale), -7, 7) * scale
        loss = ((back - rows) ** 2).sum(1, keepdims=True)
        best = back if best is None else np.where(loss < best_loss, back, best)
        best_loss = loss if best_loss is None else np.minimum(loss, best_loss)
    return best


def eight_bits(rows):
    scale = np.abs(rows).max(1, keepdims=True) / 127 + 1e-12
    return np.round(rows / scale) * scale


def mean_vectors(table):
    def vectors(texts):
        out = np.zeros((len(texts), table.shape[1]), dtype=np.float32)
        for start in range(0, len(texts), 256):
            part = texts[start : start + 256]
            flat = np.array([p for t in part for p in (t or [0])])
            at = np.r_[0, np.cumsum([len(t) or 1 for t in part])[:-1]]
            out[start : start + 256] = np.add.reduceat(table[flat], at, axis=0)
        return out / (np.linalg.norm(out, axis=1, keepdims=True) + 1e-9)

    return vectors


def main():
    measure = Measure(os.environ["BENCH"], os.environ.get("QUESTIONS"), os.environ["TOKENIZER"])
    results = []
    for folder in sys.argv[1:]:
        table = read_table(folder)
        shapes = {
            "256 columns, 8 bits": (table, None),
            "256 columns, 4 bits; passages as floats": (four_bits(table), None),
            "256 columns, 4 bits; passages 256 x 4 bits": (four_bits(table), four_bits),
            "128 columns, 8 bits; passages 128 x 8 bits": (eight_bits(table[:, :128]), eight_bits),
        }
        found = {name: measure(mean_vectors(t), passages) for name, (t, passages) in shapes.items()}
        for name, result in found.items():
            print(folder, name, line(result), sep="\n", flush=True)
        results.append(found["256 columns, 4 bits; passages 256 x 4 bits"])
    if len(results) == 2:
        print("difference of MRR, first minus second, 256 x 4 bits both, with its 95% interval")
        for row in results[0]:
            cells = [f"{form} %+.3f [%+.3f, %+.3f]" % bootstrap(results[0][row][form], results[1][row][form]) for form in ("meaning", "0.25", "0.35", "0.5", "z")]
            print(f"  {row:16s} " + "  ".join(cells))


if __name__ == "__main__":
    main()
