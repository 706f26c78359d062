"""Makes the training pairs from bare clones of the repositories in sources.py.

    REPOS=/folder/of/clones python3 pairs.py OUT_FOLDER

A clone of OWNER/NAME is expected at REPOS/OWNER+NAME/repo. Writes pairs.jsonl.xz, one
[query, passage, kind, page] a line, and counts.json: pairs by repository and kind. Pairs of
one page share the number `page`, so that training can use them as hard negatives.

Kinds: section (heading, text), paragraph (first, further ones), question (heading that asks,
text), commit (subject, body), diff (subject, file names and added lines), code (doc comment,
code below it), changelog (entry, explanation), command (description, command line),
language (text in another language, English text), word (word of the dictionary, its meaning),
sentence (everyday sentence, itself: only the teacher's similarities are learned from it), plain
(everyday wording, technical terms; plain-words.txt, written for this project).
"""
import collections
import json
import lzma
import os
import random
import re
import subprocess
import sys

from sources import CODE, DOCS, LOGS, SENTENCES, TLDR, TRANSLATIONS, WORDS

REPOS = os.environ["REPOS"]
QUERY, PASSAGE, LEAST = 160, 700, 90
pairs, counts = [], collections.Counter()
page_number = 0


def git(repo, *args):
    return ["git", f"--git-dir={REPOS}/{repo.replace('/', '+')}/repo", *args]


def next_page():
    global page_number
    page_number += 1
    return page_number


def add(repo, kind, query, passage, page):
    query, passage = query.strip()[:QUERY], passage.strip()[:PASSAGE]
    if len(query) < 4 or len(passage) < 12:
        return 0
    pairs.append((query, passage, kind, page))
    counts[repo, kind] += 1
    return 1


def files(repo, folders, endings, seed=7):
    """Every file below the folders with one of the endings, shuffled: (path, text)."""
    listing = subprocess.run(git(repo, "ls-tree", "-r", "HEAD"), capture_output=True, text=True, errors="replace").stdout
    wanted = []
    for line in listing.splitlines():
        meta, path = line.split("\t", 1)
        if path.endswith(tuple(endings)) and any(path.startswith(f) for f in folders):
            wanted.append((meta.split()[2], path))
    random.Random(seed).shuffle(wanted)
    with subprocess.Popen(git(repo, "cat-file", "--batch"), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as batch:
        for blob, path in wanted:
            batch.stdin.write(f"{blob}\n".encode())
            batch.stdin.flush()
            head = batch.stdout.readline().split()
            if head[-1] == b"missing":
                continue
            data = batch.stdout.read(int(head[2]))
            batch.stdout.read(1)
            yield path, data.decode("utf8", "replace")
        batch.stdin.close()


def clean(text):
    text = re.sub(r"\{%.*?%\}|\{\{.*?\}\}|<!--.*?-->", " ", text, flags=re.S)
    text = re.sub(r"^(import|export) .*$|^```.*$|^:::.*$", "", text, flags=re.M)
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", " ", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"<[^>\n]{1,200}>", " ", text)
    text = re.sub(r":(?:[a-z]+:)?[a-z]+:`([^`<]*)[^`]*`", r"\1", text)
    return re.sub(r"[ \t]+", " ", text)


def rst_to_headings(text):
    """Underlined headings of reStructuredText as `#` headings."""
    level = {"=": 2, "-": 3, "~": 4, "^": 4, "*": 2, '"': 4, "#": 1}
    return re.sub(
        r"^([^\n]{3,120})\n([=\-~^*\"#])\2{2,}$",
        lambda m: "#" * level[m.group(2)] + " " + m.group(1),
        text,
        flags=re.M,
    )


def sections(text):
    """(headings from the page's title down, text below) of each section."""
    title, front = None, re.match(r"---\n(.*?)\n---\n", text, re.S)
    if front:
        found = re.search(r"^title:\s*[\"']?(.+?)[\"']?\s*$", front.group(1), re.M)
        title, text = found and found.group(1), text[front.end():]
    text = re.sub(r"<summary>(?:<[^>]+>)*(.+?)(?:</[^>]+>)*</summary>", r"\n### \1\n", text)
    text = re.sub(r"^(?:    )?\#{1,4}(?=[^#\s\d])", lambda m: m.group(0) + " ", text, flags=re.M)
    parts = re.split(r"^(#{1,4}|={2,4}) +(.+?)\s*#*$", text, flags=re.M)
    chain = []
    if title:
        yield [title], parts[0]
    for i in range(1, len(parts), 3):
        depth = len(parts[i])
        chain = [c for c in chain if c[0] < depth] + [(depth, parts[i + 1])]
        yield ([title] if title else []) + [h for _, h in chain][-2:], parts[i + 2]


ASKS = re.compile(r"\?\s*$|^(how|why|what|when|where|which|can|should|do|does|is)\b", re.I)


def documentation(repo, folders, endings, most):
    taken = 0
    for path, text in files(repo, folders, endings):
        page = next_page()
        if path.endswith((".rst", ".txt")):
            text = rst_to_headings(text)
        for headings, body in sections(text):
            body = clean(body).strip()
            if len(body) < LEAST:
                continue
            last = clean(headings[-1]).strip()
            query = last if ASKS.search(last) else " ".join(clean(h).strip() for h in headings)
            taken += add(repo, "question" if ASKS.search(last) else "section", query, body, page)
            paragraphs = [p.strip() for p in body.split("\n\n") if len(p.strip()) > 60]
            if len(paragraphs) >= 2 and len(paragraphs[0]) < 300:
                first = re.split(r"(?<=[.!?])\s", paragraphs[0])[0]
                taken += add(repo, "paragraph", first, " ".join(paragraphs[1:]), page)
        if taken >= most:
            break


TRAILER = re.compile(
    r"^\s*(Signed-off-by|Co-authored-by|Reviewed-by|Reviewed-on|Change-Id|PR-URL|Refs?|Fix(es|ed)?|Clos(es|ed?)|Acked-by|Helped-by|Cc|"
    r"Run-TryBot|TryBot-Result|Auto-Submit|LUCI-TryBot\S*|Backport-PR-URL|Reported-by|Updates|For|git-svn-id|Reviewers?|Author|"
    r"Notes|Release Notes|r=|Differential|DiffTrain build for|Generated-by|Lead-authored-by|Authored-by|Committer)\b.*$",
    re.M | re.I,
)
BOILERPLATE = re.compile(r"^\s*(#+ .*|<!--.*|-->|\*? ?- \[[ x]\].*|\d+\. .*contributor.*|.*was this patch (authored|tested).*|No\.?|Yes\.?)\s*$", re.M | re.I)


def tidy_subject(subject):
    subject = re.sub(r"\s*\(#\d+\)\s*$|^\[[A-Z]+-\d+\]", "", subject)
    return re.sub(r"^(\[[A-Z0-9-]+\])+\s*", "", subject).strip()


def messages(repo, most):
    raw = subprocess.run(
        git(repo, "log", "-n", str(most * 4), "--no-merges", "--format=%x01%s%x02%b"), capture_output=True
    ).stdout.decode("utf8", "replace")
    taken, page = 0, next_page()
    for entry in raw.split("\x01")[1:]:
        subject, _, body = entry.partition("\x02")
        body = re.sub(r"https?://\S+", "", BOILERPLATE.sub("", TRAILER.sub("", body)))
        body = re.sub(r"<!--.*?-->", "", body, flags=re.S)
        body = re.sub(r"\s*\n\s*", "\n", body).strip()
        if len(body) < LEAST or re.match(r"(bump|roll|merge|revert|update dependency|chore\(deps)", subject, re.I):
            continue
        taken += add(repo, "commit", tidy_subject(subject), body, page)
        if taken % 32 == 0:
            page = next_page()
        if taken >= most:
            return


def added_lines(repo, most):
    """Subject, then the names of the changed files and the first lines they gained."""
    raw = subprocess.run(
        git(repo, "log", "-n", str(most * 3), "--no-merges", "--format=%x01%s%x02", "-p", "-U0", "--no-color", "--no-renames",
            "--", "*.go", "*.ts", "*.tsx", "*.js", "*.py", "*.rs", "*.rb", "*.java", "*.scala", "*.md"),
        capture_output=True,
    ).stdout.decode("utf8", "replace")
    taken, page = 0, next_page()
    for entry in raw.split("\x01")[1:]:
        subject, _, patch = entry.partition("\x02")
        if re.match(r"(bump|roll|merge|revert|update dependency|chore|\d|v\d)", subject, re.I):
            continue
        patch = patch[:20000]
        names = re.findall(r"^\+\+\+ b/(.+)$", patch, re.M)[:4]
        lines = [l[1:].strip() for l in patch.split("\n") if l.startswith("+") and not l.startswith("+++")]
        text = " ".join(l for l in lines if len(l) > 8)[:500]
        if names and len(text) > 60:
            taken += add(repo, "diff", tidy_subject(subject), " ".join(names) + " " + text, page)
            if taken % 32 == 0:
                page = next_page()
        if taken >= most:
            return


LINE_COMMENT = {".go": "//", ".rs": "///"}


def doc_comments(text, ending):
    """(comment, code below it) in one source file."""
    if ending in LINE_COMMENT:
        mark = LINE_COMMENT[ending]
        found = re.finditer(rf"((?:^[ \t]*{mark}(?: .*)?\n)+)((?:^[ \t]*[^\s/].*\n){{1,8}})", text, re.M)
        for m in found:
            yield re.sub(rf"^[ \t]*{mark} ?", "", m.group(1), flags=re.M), m.group(2)
    elif ending == ".py":
        for m in re.finditer(r'^([ \t]*(?:async )?(?:def|class) [^\n]*(?:\n[^"\n]*){0,6}?:\n)[ \t]*"""(.*?)"""((?:\n.*){0,6})', text, re.M | re.S):
            yield m.group(2), m.group(1) + m.group(3)
    else:
        for m in re.finditer(r"/\*\*(.*?)\*/\s*\n((?:[ \t]*[^\s/*].*\n){1,8})", text, re.S):
            yield re.sub(r"^\s*\* ?", "", m.group(1), flags=re.M), m.group(2)


def code(repo, folders, ending, most):
    taken = 0
    for path, text in files(repo, folders, [ending]):
        if "test" in path.lower() or "vendor/" in path:
            continue
        page, here = next_page(), 0
        for comment, below in doc_comments(text, ending):
            comment = re.split(r"\n\s*@|\n\s*:param|\n#|\n```", comment)[0]
            comment = re.sub(r"\s+", " ", comment).strip()
            if not 40 <= len(comment) <= 600 or re.search(r"copyright|licen[sc]e", comment, re.I):
                continue
            first = re.split(r"(?<=[.!?])\s", comment)[0]
            rest = comment[len(first):].strip()
            here += add(repo, "code", first, re.sub(r"\s+", " ", (rest + " " if len(rest) > 40 else "") + below), page)
            if here >= 12:
                break
        taken += here
        if taken >= most:
            return


def changelogs(repo):
    for path, text in files(repo, [""], ["CHANGELOG.md"]):
        page = next_page()
        for entry in re.split(r"^\*   ", text, flags=re.M)[1:]:
            paragraphs = [re.sub(r"\s+", " ", p).strip() for p in re.sub(r"\n\s*\*[^*\n]+\*.*", "", entry).split("\n\n")]
            if len(paragraphs) > 1 and len(" ".join(paragraphs[1:])) > LEAST:
                add(repo, "changelog", paragraphs[0], " ".join(paragraphs[1:]), page)


def tldr(repo, languages):
    def page_of(text):
        title = re.search(r"^# (.+)$", text, re.M)
        about = " ".join(l for l in re.findall(r"^> (.+)$", text, re.M) if "http" not in l and "`" not in l)
        lines = re.findall(r"^- (.+?):\s*\n\n`(.+?)`", text, re.M)
        return title and title.group(1), about, [(d, re.sub(r"\{\{|\}\}", "", c)) for d, c in lines]

    english = {}
    for path, text in files(repo, ["pages/"], [".md"]):
        title, about, lines = page_of(text)
        english[path[6:]] = (title, about, lines)
        page = next_page()
        if title and len(about) > 20:
            add(repo, "command", about, title + " " + "; ".join(d for d, _ in lines), page)
        for described, command in lines[:3]:
            add(repo, "command", described, f"{title} {about} {command}", page)
    for language in languages:
        for path, text in files(repo, [f"pages.{language}/"], [".md"]):
            there = english.get(path.split("/", 1)[1])
            if not there:
                continue
            title, about, lines = page_of(text)
            page = next_page()
            if len(about) > 10 and len(there[1]) > 10:
                add(repo, f"language {language[:2]}", about, there[1], page)
            if len(lines) == len(there[2]):
                for (d, _), (e, c) in list(zip(lines, there[2]))[:3]:
                    add(repo, f"language {language[:2]}", d, f"{e} {c}", page)


def translations(repo, pattern, base, languages):
    """Sections of a translated page next to the English ones, where both have as many of them."""
    def page_sections(text):
        return [(clean(" ".join(h)).strip(), clean(b).strip()) for h, b in sections(re.sub(r"\s*\{#[^}]*\}", "", text))]

    start = pattern.format(base)
    english = {path[len(start):]: page_sections(text) for path, text in files(repo, [start], [".md", ".mdx"])}
    for language in languages:
        there = pattern.format(language)
        for path, text in files(repo, [there], [".md", ".mdx"]):
            source, target = english.get(path[len(there):]), page_sections(text)
            if not source or len(source) != len(target):
                continue
            page = next_page()
            for (heading, body), (english_heading, english_body) in zip(target, source):
                if len(english_body) < LEAST or body[:60] == english_body[:60]:
                    continue
                kind = f"language {language[:2]}"
                if heading.lower() != english_heading.lower():
                    add(repo, kind, heading, english_heading + ". " + english_body, page)
                if english_body and len(body) > 40:
                    first = re.split(r"(?<=[.!?。])\s*", body)[0]
                    add(repo, kind, first, english_body, page)


def wordnet(repo):
    for path, text in files(repo, ["src/yaml/"], [".yaml"]):
        if "/entries" in path:
            continue
        for entry in re.split(r"^(?=\d{8}-[a-z]:)", text, flags=re.M)[1:]:
            meaning = re.search(r"definition:\n  - (.+(?:\n    .+)*)", entry)
            members = re.findall(r"^  - (.+)$", entry.partition("members:")[2].partition("partOfSpeech")[0], re.M)
            example = re.search(r"example:\n  - (.+)", entry)
            if not meaning or not members or members[0][0].isupper():
                continue
            meaning = re.sub(r"\s+", " ", meaning.group(1)).strip("'\"")
            add(repo, "word", ", ".join(members[:2]), meaning, next_page())
            if len(members) > 1:
                add(repo, "word", members[-1], f"{members[0]}: {meaning}", page_number)
            if example and not example.group(1).lower().startswith(("source", "text")):
                add(repo, "word", example.group(1).strip("'\""), f"{members[0]}: {meaning}", page_number)


def sentences(repo, folder):
    for _, text in files(repo, [folder], [".txt"]):
        for sentence in text.split("\n"):
            if 20 < len(sentence) < 160:
                add(repo, "sentence", sentence, sentence, next_page())


def plain_words():
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "plain-words.txt")) as file:
        lines = [l.strip() for l in file if l.strip() and not l.startswith("#")]
    for line in lines:
        terms, *wordings = [part.strip() for part in line.split("|")]
        page = next_page()
        for wording in wordings:
            add("continuo", "plain", wording, terms, page)
            for term in terms.split(", ")[:3]:
                add("continuo", "plain", wording, f"{term}: {terms}", page)
        if len(wordings) > 1:
            add("continuo", "plain", wordings[0], wordings[1], page)


def main(out):
    for repo, _, folders, endings, most in DOCS:
        documentation(repo, folders, endings, most)
    for repo, _, most, most_diffs in LOGS:
        messages(repo, most)
        added_lines(repo, most_diffs)
        print(repo, "log", counts[repo, "commit"], counts[repo, "diff"], file=sys.stderr, flush=True)
    for repo, _, folders, ending, most in CODE:
        code(repo, folders, ending, most)
        print(repo, "code", counts[repo, "code"], file=sys.stderr, flush=True)
    changelogs("rails/rails")
    tldr(TLDR[0], TLDR[2])
    for repo, _, pattern, base, languages in TRANSLATIONS:
        translations(repo, pattern, base, languages)
    plain_words()
    wordnet(WORDS[0])
    sentences(SENTENCES[0], SENTENCES[2])
    unique = list({(a, b): (a, b, k, p) for a, b, k, p in pairs}.values())
    random.Random(3).shuffle(unique)
    kinds = collections.Counter(k for _, _, k, _ in unique)
    print(len(unique), "pairs", dict(kinds), file=sys.stderr)
    with lzma.open(f"{out}/pairs.jsonl.xz", "wt", preset=2) as file:
        for pair in sorted(unique, key=lambda p: p[3]):
            file.write(json.dumps(pair, ensure_ascii=False) + "\n")
    table = collections.defaultdict(dict)
    for (repo, kind), n in sorted(counts.items()):
        table[repo][kind] = n
    with open(f"{out}/counts.json", "w") as file:
        json.dump(table, file, indent=1)


if __name__ == "__main__":
    main(sys.argv[1])
