"""Trains the table of meaning on one GPU.

    python3 train.py DATA OUT VARIANT...

DATA holds pairs*.jsonl.xz (pairs.py), model_quantized.onnx and tokenizer.json (teacher.py says
from where), bench/ and dev.json for the evaluation. For each variant of VARIANTS it prints the
development figures in the form that ships (4 bits a value, passages too) and writes
OUT/NAME.npz: levels (-7 to 7, int8) and scale (one float a row).
"""
import glob
import json
import lzma
import math
import random
import re
import sys
import time

import numpy as np
import torch
import torch.nn.functional as F

from evaluate import Measure, Pieces, four_bits, line, mean_of_rows, mrr
from teacher import Teacher

GPU, VOCABULARY, COLUMNS = "cuda", 30522, 256
START = time.time()
BASE = dict(
    epochs=8, batch=8192, rate=3e-3, contrast=1.0, distil=1.0, sharp=20.0, shape=50.0, regress=0.0, blend=0.0, drop=0.0,
    pull=False, plain=10, words=60000, blocks="mixed", guide=0.02, quantise=0.6, without=[], seed=0,
)
VARIANTS = json.load(open(__file__.replace("train.py", "variants.json")))


def say(*parts):
    print(f"{time.time() - START:6.1f}", *parts, flush=True)


class Texts:
    """Texts as one long row of pieces on the GPU, with mean vectors of any of them."""

    def __init__(self, lists):
        lists = [t or [0] for t in lists]
        self.length = torch.tensor([len(t) for t in lists], device=GPU)
        self.start = torch.cumsum(self.length, 0) - self.length
        self.flat = torch.from_numpy(np.concatenate([np.array(t, dtype=np.int64) for t in lists])).to(GPU)

    def mean(self, table, rows, drop=0.0):
        length = self.length[rows]
        offset = torch.cumsum(length, 0) - length
        at = torch.arange(int(length.sum()), device=GPU) + torch.repeat_interleave(self.start[rows] - offset, length)
        ids = self.flat[at]
        weight = torch.ones(len(ids), device=GPU)
        if drop:  # a text still means the same without some of its pieces
            weight = torch.where(torch.repeat_interleave(length > 2, length), torch.rand(len(ids), device=GPU) >= drop, True).float()
        return F.normalize(F.embedding_bag(ids, table, offset, mode="sum", per_sample_weights=weight), dim=1)


def spans(pairs, most=250000):
    """A sentence of a passage with the passage: more short texts for the teacher to judge."""
    rng = random.Random(11)
    out = []
    for _, passage, kind, page in rng.sample(pairs, len(pairs)):
        if kind in ("section", "paragraph", "question", "commit"):
            sentences = [s for s in re.split(r"(?<=[.!?:])\s+|\n+", passage) if 30 <= len(s) <= 200]
            if sentences:
                out.append([rng.choice(sentences), passage, "span", page])
        if len(out) == most:
            break
    return out


def read_pairs(folder, pieces):
    pairs = []
    for path in sorted(glob.glob(f"{folder}/pairs*.jsonl.xz")):
        with lzma.open(path, "rt") as file:
            pairs += [json.loads(entry) for entry in file]
    say(len(pairs), "pairs")
    pairs += spans(pairs)
    queries, passages = pieces([p[0] for p in pairs]), pieces([p[1] for p in pairs])
    kept = [i for i in range(len(pairs)) if queries[i] and passages[i]]
    say(len(kept), "pairs with spans, tokenised")
    return [pairs[i][2] for i in kept], np.array([pairs[i][3] for i in kept]), [queries[i] for i in kept], [passages[i] for i in kept]


def clusters(vectors, n, rounds=6):
    """Numbers of the nearest of n centres, by k-means on the teacher's vectors."""
    centres = vectors[torch.randperm(len(vectors), device=GPU)[:n]].float()
    for _ in range(rounds):
        near = torch.cat([(part.float() @ centres.T).argmax(1) for part in vectors.split(65536)])
        centres = F.normalize(torch.zeros_like(centres).index_add_(0, near, vectors.float()), dim=1)
    return near.cpu().numpy()


def blocked(order, block, size, rng):
    """The order with members of one block side by side, in runs of at most `size`, runs shuffled."""
    order = rng.permutation(order)
    order = order[np.argsort(block[order], kind="stable")]
    new = np.r_[True, np.diff(block[order]) != 0]
    position = np.arange(len(order)) - np.maximum.accumulate(np.where(new, np.arange(len(order)), 0))
    runs = np.cumsum(new | (position % size == 0))
    return order[np.argsort(rng.permutation(runs[-1] + 1)[runs], kind="stable")]


def fake_four_bits(table):
    """The table rounded to 4 bits a value going forward, as it is going back."""
    with torch.no_grad():
        levels, scale = to_levels(table)
        error = levels * scale - table
    return table + error


def to_levels(table):
    top = table.abs().amax(1, keepdim=True) + 1e-12
    best = None
    for share in (1.0, 0.9, 0.8, 0.7, 0.6, 0.5):
        scale = top * share / 7
        levels = (table / scale).round().clamp(-7, 7)
        loss = ((levels * scale - table) ** 2).sum(1, keepdim=True)
        if best is None:
            best = [levels, scale, loss]
        else:
            better = loss < best[2]
            best = [torch.where(better, new, old) for new, old in zip((levels, scale, loss), best)]
    return best[0], best[1]


class Training:
    def __init__(self, data):
        self.pieces = Pieces(f"{data}/tokenizer.json")
        self.measure = Measure(f"{data}/bench", f"{data}/dev.json", f"{data}/tokenizer.json")
        say("evaluation ready")
        self.teacher = Teacher(f"{data}/model_quantized.onnx")
        taught = lambda texts: self.teacher(texts).float().cpu().numpy()
        self.report("teacher", self.measure(taught))
        kinds, page, queries, passages = read_pairs(data, self.pieces)
        self.kinds, self.page = np.array(kinds), page
        self.queries, self.passages = Texts(queries), Texts(passages)
        self.query_taught, self.passage_taught = self.teacher(queries), self.teacher(passages)
        say("taught")
        self.cluster = clusters(self.passage_taught, 6000)
        self.held = (page % 61 == 0) & (self.kinds != "plain")
        single = self.teacher([[i] for i in range(VOCABULARY)]).float()
        self.single = single - single.mean(0)
        self.basis = torch.linalg.svd(self.single, full_matrices=False)[2][:COLUMNS].T
        seen = torch.bincount(torch.cat([self.queries.flat, self.passages.flat]), minlength=VOCABULARY).float() + 1
        self.rare = 1e-4 / (1e-4 + seen / seen.sum())
        self.rare[[0, 100, 101, 102]] = 0
        say("ready")

    def report(self, name, result):
        lay = np.concatenate([result[r]["meaning"] for r in result if r.startswith("own lay")] or [np.ones(1)])
        forms = ("meaning", "0.25", "0.35", "0.5", "z")
        own = {f: np.concatenate([result[r][f] for r in result if r.startswith("own lay")] or [np.ones(1)]) for f in forms}
        other = {f: np.concatenate([result[r][f] for r in result if r.startswith("own ") and "lay" not in r] or [np.ones(1)]) for f in forms}
        say(name, "| five rows", " ".join(f"{f}:{mean_of_rows(result, f):.4f}" for f in forms),
            "| coding", " ".join(f"{f}:{mrr(result['coding'][f]):.3f}" for f in forms),
            "| lay", " ".join(f"{f}:{mrr(own[f]):.3f}/{np.mean(own[f] == 1):.2f}/{np.mean(own[f] <= 3):.2f}" for f in forms),
            "| other own", " ".join(f"{f}:{mrr(other[f]):.3f}" for f in forms), f"| n {len(lay)}")

    def held_out(self, table):
        """MRR of held-out pairs among each other, by kind."""
        out = []
        for kind in sorted(set(self.kinds)):
            rows = np.flatnonzero(self.held & (self.kinds == kind))[:1000]
            if len(rows) < 30 or kind in ("sentence", "span"):
                continue
            rows = torch.from_numpy(rows).to(GPU)
            near = self.queries.mean(table, rows) @ self.passages.mean(table, rows).T
            rank = (near > near.diagonal()[:, None]).sum(1) + 1
            out.append(f"{kind} {len(rows)}:{(1 / rank).mean():.3f}")
        return " ".join(out)

    def batches(self, rows, v, rng, epoch):
        kind = v["blocks"] if v["blocks"] != "mixed" else ("random", "page", "cluster")[epoch % 3]
        if kind == "random":
            order = rng.permutation(rows)
        else:
            order = blocked(rows, self.page if kind == "page" else self.cluster, 32, rng)
        for start in range(0, len(order) - v["batch"] + 1, v["batch"]):
            yield torch.from_numpy(order[start : start + v["batch"]]).to(GPU)

    def train(self, name, v):
        torch.manual_seed(0)  # one turn for all, so that tables of several trainings can be averaged
        turn = torch.linalg.qr(torch.randn(COLUMNS, COLUMNS, device=GPU))[0]
        torch.manual_seed(v["seed"])
        rng = np.random.default_rng(v["seed"])
        wanted = ~self.held
        for kind in v["without"]:
            wanted = wanted & ~np.char.startswith(self.kinds, kind)
        rows = np.flatnonzero(wanted)
        dictionary = rows[self.kinds[rows] == "word"]
        if len(dictionary) > v["words"]:
            rows = np.setdiff1d(rows, rng.choice(dictionary, len(dictionary) - v["words"], replace=False))
        rows = np.r_[rows[self.kinds[rows] != "plain"], np.repeat(rows[self.kinds[rows] == "plain"], v["plain"])]
        contrasted = torch.from_numpy(~np.isin(self.kinds, ["sentence", "span"])).to(GPU)
        plain = torch.from_numpy(self.kinds == "plain").to(GPU)
        abroad = torch.from_numpy(np.char.startswith(self.kinds, "language")).to(GPU)
        start = F.normalize(self.single @ self.basis, dim=1) * self.rare[:, None]
        table = torch.nn.Parameter((start @ turn).contiguous())
        scale = torch.nn.Parameter(torch.tensor(math.log(20.0), device=GPU))
        adam = torch.optim.Adam([{"params": [table]}, {"params": [scale], "lr": 1e-3}], lr=v["rate"])
        steps, step = v["epochs"] * (len(rows) // v["batch"]), 0
        diagonal = torch.arange(v["batch"], device=GPU)
        projection = self.basis @ turn
        for epoch in range(v["epochs"]):
            losses = np.zeros(2)
            for batch in self.batches(rows, v, rng, epoch):
                used = fake_four_bits(table) if step >= v["quantise"] * steps else table
                a, b = self.queries.mean(used, batch, v["drop"]), self.passages.mean(used, batch, v["drop"])
                ta, tb = self.query_taught[batch].float(), self.passage_taught[batch].float()
                # The teacher knows English only: a text in another language shall lie where its translation lies.
                ta = torch.where(abroad[batch][:, None], tb, ta)
                if v["pull"]:  # an everyday wording lies half way to the technical terms
                    ta = torch.where(plain[batch][:, None], F.normalize(ta + tb, dim=1), ta)
                if v["blend"]:  # partners draw each other nearer than the teacher has them
                    ta, tb = F.normalize(ta + v["blend"] * tb, dim=1), F.normalize(tb + v["blend"] * ta, dim=1)
                near, taught = a @ b.T, ta @ tb.T
                # A stranger that the teacher finds nearer than the partner is no wrong answer.
                skip = taught > (taught.diagonal()[:, None] + v["guide"])
                skip[diagonal, diagonal] = False
                scaled = (near * scale.exp().clamp(max=60)).masked_fill(skip, -1e4)
                each = (F.cross_entropy(scaled, diagonal, reduction="none") + F.cross_entropy(scaled.T, diagonal, reduction="none")) / 2
                loss = each[contrasted[batch]].mean()
                sharp = v["sharp"]
                distil = F.kl_div(F.log_softmax(near * sharp, 1), F.softmax(taught * sharp, 1), reduction="batchmean")
                shape = F.mse_loss(a @ a.T, ta @ ta.T) + F.mse_loss(b @ b.T, tb @ tb.T)
                total = v["contrast"] * loss + v["distil"] * distil + v["shape"] * shape
                if v["regress"]:
                    total = total + v["regress"] * (2 - (a * F.normalize(ta @ projection, dim=1)).sum(1).mean() - (b * F.normalize(tb @ projection, dim=1)).sum(1).mean())
                adam.zero_grad()
                total.backward()
                adam.step()
                step += 1
                adam.param_groups[0]["lr"] = v["rate"] * max(0.02, 1 - step / steps)
                losses += [loss.item(), distil.item()]
        levels, row_scale = to_levels(table.data)
        say(name, f"{len(rows)} pairs, {step} steps, contrast {losses[0] / (steps / v['epochs']):.3f} distil {losses[1] / (steps / v['epochs']):.3f}")
        return levels, row_scale

    def vectors(self, table):
        def of(texts):
            with torch.no_grad():
                part = Texts(texts)
                return part.mean(table, torch.arange(len(texts), device=GPU)).cpu().numpy()
        return of


def main(data, out, names):
    training = Training(data)
    for name in names:
        v = {**BASE, **VARIANTS[name]}
        levels, scale = training.train(name, v)
        shipped = levels * scale
        result = training.measure(training.vectors(shipped), four_bits)
        training.report(name, result)
        line_of = lambda r: " ".join(f"{f}:{mrr(result[r][f]):.3f}" for f in ("meaning", "0.35", "0.5"))
        say(name, " | ".join(f"{r} {line_of(r)}" for r in result if r.startswith(("own lay", "loco", "beam", "vault"))))
        say(name, "held out", training.held_out(shipped))
        np.savez_compressed(f"{out}/{name}.npz", levels=levels.to(torch.int8).cpu().numpy(), scale=scale.cpu().numpy())
        with open(f"{out}/log-{name}.txt", "w") as file:
            file.write(line(result))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
