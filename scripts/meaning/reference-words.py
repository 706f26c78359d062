"""The words that the reference looks for pieces of, before it does so. Used as reference.py is."""
import json, re, sys
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

normalizer, splitter = BertNormalizer(strip_accents=True), BertPreTokenizer()
for line in sys.stdin:
    text = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", json.loads(line))
    print(json.dumps([word for word, _ in splitter.pre_tokenize_str(normalizer.normalize_str(text))]))
