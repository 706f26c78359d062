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
    epochs=8, batch=8192, rate=3e-3, contrast=1.0, distil=1.0, shape=50.0, regress=0.0, forget=0.0, blocks="mixed", guide=0.0,
    quantise=0.6, halves=False, only=None, without=(), query_weights=False, seed=0, words=60000, sharp=20.0,
)
VARIANTS = json.load(open(__file__.replace("train.py", "variants.json")))


def say(*parts):
    print(f"{time.time() - START:6.1f}", *parts, flush=True)


class Texts:
    """Texts as one long row of pieces on the GPU, with mean vectors of any of them."""

    def __init__(self, lists, shared=None):
        lists = [t or [0] for t in lists]
        self.length = torch.tensor([len(t) for t in lists], device=GPU)
        self.start = torch.cumsum(self.length, 0) - self.length
        self.flat = torch.from_numpy(np.concatenate([np.array(t, dtype=np.int64) for t in lists])).to(GPU)
        self.shared = None if shared is None else torch.from_numpy(np.concatenate(shared)).to(GPU)

    def sum(self, table, rows, forget=0.0, weights=None):
        length = self.length[rows]
        offset = torch.cumsum(length, 0) - length
        at = torch.arange(int(length.sum()), device=GPU) + torch.repeat_interleave(self.start[rows] - offset, length)
        ids = self.flat[at]
        weight = torch.ones(len(ids), device=GPU)
        if forget and self.shared is not None:
            # Words of the query that the passage has too are left out now and then: the words are BM25's part.
            text = torch.repeat_interleave(torch.rand(len(rows), device=GPU) < 0.5, length)
            gone = self.shared[at] & text & (torch.rand(len(ids), device=GPU) < forget)
            kept = torch.zeros(len(rows), device=GPU).index_add_(0, torch.repeat_interleave(torch.arange(len(rows), device=GPU), length), (~gone).float())
            weight = (~(gone & torch.repeat_interleave(kept >= 2, length))).float()
        if weights is not None:
            weight = weight * weights[ids]
        return F.normalize(F.embedding_bag(ids, table, offset, mode="sum", per_sample_weights=weight), dim=1)


def read_pairs(folder, pieces):
    pairs = []
    for path in sorted(glob.glob(f"{folder}/pairs*.jsonl.xz")):
        with lzma.open(path, "rt") as file:
            pairs += [json.loads(entry) for entry in file]
    say(len(pairs), "pairs")
    queries, passages = pieces([p[0] for p in pairs]), pieces([p[1] for p in pairs])
    kept = [i for i in range(len(pairs)) if queries[i] and passages[i]]
    say("tokenised")
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
        shared = [np.isin(q, p) for q, p in zip(queries, passages)]
        self.queries, self.passages = Texts(queries, shared), Texts(passages)
        self.query_taught, self.passage_taught = self.teacher(queries), self.teacher(passages)
        say("taught")
        self.cluster = clusters(self.passage_taught, 6000)
        self.held = page % 61 == 0
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

    def held_out(self, table, weights=None):
        """MRR of held-out pairs among each other, by kind."""
        out = []
        for kind in sorted(set(self.kinds)):
            rows = np.flatnonzero(self.held & (self.kinds == kind))[:1000]
            if len(rows) < 30 or kind == "sentence":
                continue
            rows = torch.from_numpy(rows).to(GPU)
            near = self.queries.sum(table, rows, weights=weights) @ self.passages.sum(table, rows).T
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
        torch.manual_seed(v["seed"])
        rng = np.random.default_rng(v["seed"])
        wanted = ~self.held & (np.isin(self.kinds, v["only"]) if v["only"] else True)
        for kind in v["without"]:
            wanted &= ~np.char.startswith(self.kinds, kind)
        rows = np.flatnonzero(wanted)
        dictionary = rows[self.kinds[rows] == "word"]
        if len(dictionary) > v["words"]:
            rows = np.setdiff1d(rows, rng.choice(dictionary, len(dictionary) - v["words"], replace=False))
        contrasted = torch.from_numpy(self.kinds != "sentence").to(GPU)
        start = F.normalize(self.single @ self.basis, dim=1) * self.rare[:, None]
        turn = torch.eye(COLUMNS, device=GPU) if v["halves"] else torch.linalg.qr(torch.randn(COLUMNS, COLUMNS, device=GPU))[0]
        table = torch.nn.Parameter((start @ turn).contiguous())
        scale = torch.nn.Parameter(torch.tensor(math.log(20.0), device=GPU))
        weights = torch.nn.Parameter(torch.ones(VOCABULARY, device=GPU)) if v["query_weights"] else None
        groups = [{"params": [table]}, {"params": [scale], "lr": 1e-3}] + ([{"params": [weights], "lr": 1e-2}] if v["query_weights"] else [])
        adam = torch.optim.Adam(groups, lr=v["rate"])
        steps, step = v["epochs"] * (len(rows) // v["batch"]), 0
        diagonal = torch.arange(v["batch"], device=GPU)
        projection = self.basis @ turn
        for epoch in range(v["epochs"]):
            losses = np.zeros(2)
            for batch in self.batches(rows, v, rng, epoch):
                used = fake_four_bits(table) if step >= v["quantise"] * steps else table
                a, b = self.queries.sum(used, batch, v["forget"], weights), self.passages.sum(used, batch)
                ta, tb = self.query_taught[batch].float(), self.passage_taught[batch].float()
                near, taught = a @ b.T, ta @ tb.T
                skip = None
                if v["guide"]:  # a stranger that the teacher finds nearer than the partner is no wrong answer
                    skip = taught > (taught.diagonal()[:, None] + v["guide"])
                    skip[diagonal, diagonal] = False
                loss = 0.0
                for columns in (COLUMNS, COLUMNS // 2) if v["halves"] else (COLUMNS,):
                    s = near if columns == COLUMNS else F.normalize(a[:, :columns], dim=1) @ F.normalize(b[:, :columns], dim=1).T
                    s = s * scale.exp().clamp(max=60)
                    if skip is not None:
                        s = s.masked_fill(skip, -1e4)
                    each = (F.cross_entropy(s, diagonal, reduction="none") + F.cross_entropy(s.T, diagonal, reduction="none")) / 2
                    loss = loss + each[contrasted[batch]].mean() / (2 if v["halves"] else 1)
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
                losses += [loss.item() if torch.is_tensor(loss) else loss, distil.item()]
        levels, row_scale = to_levels(table.data)
        say(name, f"{len(rows)} pairs, {step} steps, contrast {losses[0] / (steps / v['epochs']):.3f} distil {losses[1] / (steps / v['epochs']):.3f}")
        return levels, row_scale, table.data, weights

    def vectors(self, table, weights=None):
        def of(texts):
            with torch.no_grad():
                part = Texts(texts)
                return part.sum(table, torch.arange(len(texts), device=GPU), weights=weights).cpu().numpy()
        return of


def main(data, out, names):
    training = Training(data)
    for name in names:
        v = {**BASE, **VARIANTS[name]}
        levels, scale, table, weights = training.train(name, v)
        shipped = levels * scale
        ask = training.vectors(shipped, weights.data if weights is not None else None)
        result = training.measure(training.vectors(shipped), four_bits, ask)
        training.report(name, result)
        say(name, "held out", training.held_out(shipped, None if weights is None else weights.data))
        np.savez_compressed(f"{out}/{name}.npz", levels=levels.to(torch.int8).cpu().numpy(), scale=scale.cpu().numpy())
        with open(f"{out}/log-{name}.txt", "w") as file:
            file.write(line(result))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
