"""The reference tokenizer, for the fixture of test/search/meaning/reference.test.ts:
    pip install tokenizers==0.22.2
    python3 scripts/meaning/reference.py VOCAB < texts > pieces
A JSON string a line in; out, the text's first 254 pieces as a JSON list. Tokens that stand for no text are [UNK]."""
import json, re, sys
from tokenizers import BertWordPieceTokenizer

tokenizer = BertWordPieceTokenizer(sys.argv[1], lowercase=True, strip_accents=True)
for line in sys.stdin:
    text = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", json.loads(line))
    pieces = tokenizer.encode(text, add_special_tokens=False).tokens[:254]
    special = {"[CLS]", "[MASK]", "[PAD]", "[SEP]"}
    print(json.dumps(["[UNK]" if piece in special else piece for piece in pieces]))
