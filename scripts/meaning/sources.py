"""The public repositories the table of meaning is trained on, with their licences.

Only licences that allow the use with attribution. No repository of the benchmark data is
in the list (the coding sessions are of entireio/cli; rules and vaults: awesome-copilot,
awesome-cursorrules, logseq/docs).
"""

# Documentation: repository, licence of the text, folders, file endings, most pairs to take.
DOCS = [
    ("github/docs", "CC BY 4.0", ["content/"], [".md"], 16000),
    ("microsoft/vscode-docs", "CC BY 3.0 US", ["docs/", "release-notes/", "api/"], [".md"], 11000),
    ("docker/docs", "Apache-2.0", ["content/"], [".md"], 11000),
    ("kubernetes/website", "CC BY 4.0", ["content/en/"], [".md"], 14000),
    ("nodejs/node", "MIT", ["doc/"], [".md"], 9000),
    ("cloudflare/cloudflare-docs", "CC BY 4.0", ["src/content/"], [".md", ".mdx"], 14000),
    ("dotnet/docs", "CC BY 4.0", ["docs/"], [".md"], 14000),
    ("MicrosoftDocs/PowerShell-Docs", "CC BY 4.0", ["reference/"], [".md"], 6000),
    ("microsoft/code-with-engineering-playbook", "CC BY 4.0", ["docs/"], [".md"], 4000),
    ("PostHog/posthog.com", "MIT", ["contents/handbook/", "contents/docs/", "contents/tutorials/"], [".md", ".mdx"], 9000),
    ("alphagov/govuk-developer-docs", "MIT", ["source/"], [".md"], 4000),
    ("ministryofjustice/cloud-platform-user-guide", "MIT", ["source/"], [".md", ".erb"], 2000),
    ("18F/guides", "CC0-1.0", ["content/", "_pages/", ""], [".md"], 3000),
    ("kubernetes/enhancements", "Apache-2.0", ["keps/"], [".md"], 8000),
    ("rust-lang/rfcs", "MIT or Apache-2.0", ["text/"], [".md"], 6000),
    ("swiftlang/swift-evolution", "Apache-2.0", ["proposals/"], [".md"], 5000),
    ("python/peps", "public domain or CC0-1.0", ["peps/"], [".rst"], 7000),
    ("prometheus-operator/runbooks", "Apache-2.0", ["content/"], [".md"], 1000),
    ("openshift/runbooks", "Apache-2.0", ["alerts/"], [".md"], 2500),
    ("open-telemetry/opentelemetry.io", "CC BY 4.0", ["content/en/"], [".md"], 4000),
    ("helm/helm-www", "MIT", ["docs/", "blog/"], [".md", ".mdx"], 1500),
    ("grpc/grpc.io", "CC BY 4.0", ["content/en/"], [".md"], 1500),
    ("cncf/glossary", "CC BY 4.0", ["content/en/"], [".md"], 400),
    ("fastapi/fastapi", "MIT", ["docs/en/"], [".md"], 2500),
    ("django/django", "BSD-3-Clause", ["docs/"], [".txt"], 9000),
    ("rails/rails", "MIT", ["guides/source/"], [".md"], 5000),
    ("angular/angular", "MIT", ["adev/src/content/"], [".md"], 4000),
    ("vercel/next.js", "MIT", ["docs/", "errors/"], [".md", ".mdx"], 5000),
    ("withastro/docs", "MIT", ["src/content/docs/en/"], [".md", ".mdx"], 4000),
    ("vuejs/docs", "CC BY 4.0", ["src/"], [".md"], 2500),
    ("reactjs/react.dev", "CC BY 4.0", ["src/content/"], [".md"], 4000),
    ("electron/electron", "MIT", ["docs/"], [".md"], 4000),
    ("vitejs/vite", "MIT", ["docs/"], [".md"], 1200),
    ("TanStack/query", "MIT", ["docs/"], [".md"], 1500),
    ("webpack/webpack.js.org", "CC BY 4.0", ["src/content/"], [".md", ".mdx"], 3500),
    ("cypress-io/cypress-documentation", "MIT", ["docs/"], [".md", ".mdx"], 3500),
    ("microsoft/playwright", "Apache-2.0", ["docs/src/"], [".md"], 3500),
    ("yarnpkg/berry", "BSD-2-Clause", ["packages/docusaurus/"], [".md", ".mdx"], 700),
    ("eslint/eslint", "MIT", ["docs/src/"], [".md"], 5000),
    ("prettier/prettier", "MIT", ["docs/", "website/blog/", "changelog_unreleased/"], [".md"], 2000),
    ("donnemartin/system-design-primer", "CC BY 4.0", ["README.md", "solutions/"], [".md"], 400),
    ("google/eng-practices", "CC BY 3.0", [""], [".md"], 300),
    ("goldbergyoni/javascript-testing-best-practices", "MIT", ["readme.md"], [".md"], 200),
    ("trimstray/test-your-sysadmin-skills", "MIT", ["README.md"], [".md"], 900),
    ("sudheerj/reactjs-interview-questions", "MIT", ["README.md"], [".md"], 700),
    ("zulip/zulip", "Apache-2.0", ["docs/", "help/", "starlight_help/"], [".md", ".mdx"], 3500),
    ("apache/spark", "Apache-2.0", ["docs/"], [".md"], 2500),
    ("apache/airflow", "Apache-2.0", ["airflow-core/docs/", "docs/"], [".rst"], 2500),
    ("rust-lang/rust", "MIT or Apache-2.0", ["src/doc/", "compiler/rustc_error_codes/"], [".md"], 4000),
    ("moby/moby", "Apache-2.0", ["docs/"], [".md"], 800),
]

# Commit messages: repository, licence, most pairs of subject and body, most of subject and added lines.
LOGS = [
    ("golang/go", "BSD-3-Clause", 24000, 5000),
    ("nodejs/node", "MIT", 20000, 4000),
    ("rails/rails", "MIT", 20000, 4000),
    ("apache/spark", "Apache-2.0", 16000, 3000),
    ("apache/kafka", "Apache-2.0", 9000, 3000),
    ("apache/airflow", "Apache-2.0", 9000, 3000),
    ("vercel/next.js", "MIT", 9000, 3000),
    ("facebook/react", "MIT", 8000, 3000),
    ("denoland/deno", "MIT", 8000, 3000),
    ("astral-sh/ruff", "MIT", 8000, 3000),
    ("zulip/zulip", "Apache-2.0", 14000, 4000),
    ("django/django", "BSD-3-Clause", 6000, 3000),
    ("angular/angular", "MIT", 9000, 3000),
    ("rust-lang/rust", "MIT or Apache-2.0", 16000, 4000),
    ("electron/electron", "MIT", 5000, 2000),
    ("moby/moby", "Apache-2.0", 8000, 3000),
    ("eslint/eslint", "MIT", 2000, 2000),
    ("prettier/prettier", "MIT", 1000, 2000),
    ("vitejs/vite", "MIT", 1500, 2000),
    ("yarnpkg/berry", "BSD-2-Clause", 1000, 1500),
    ("fastapi/fastapi", "MIT", 500, 500),
    ("gitleaks/gitleaks", "MIT", 400, 500),
]

# Doc comments and the code below them: repository, licence, folders, file ending, most pairs.
CODE = [
    ("golang/go", "BSD-3-Clause", ["src/"], ".go", 14000),
    ("moby/moby", "Apache-2.0", [""], ".go", 6000),
    ("rust-lang/rust", "MIT or Apache-2.0", ["library/", "compiler/", "src/tools/"], ".rs", 12000),
    ("astral-sh/ruff", "MIT", ["crates/"], ".rs", 6000),
    ("denoland/deno", "MIT", [""], ".rs", 3000),
    ("django/django", "BSD-3-Clause", ["django/"], ".py", 3500),
    ("apache/airflow", "Apache-2.0", [""], ".py", 9000),
    ("zulip/zulip", "Apache-2.0", [""], ".py", 1500),
    ("angular/angular", "MIT", ["packages/"], ".ts", 6000),
    ("microsoft/playwright", "Apache-2.0", ["packages/"], ".ts", 2500),
    ("vitejs/vite", "MIT", ["packages/"], ".ts", 1000),
    ("vercel/next.js", "MIT", ["packages/"], ".ts", 2500),
    ("nodejs/node", "MIT", ["lib/"], ".js", 4000),
]

# Translated documentation: repository, licence, path of the English pages with {} for the language, languages.
TRANSLATIONS = [
    ("kubernetes/website", "CC BY 4.0", "content/{}/", "en", ["de", "fr", "es", "pt-br", "it", "zh-cn", "ja"]),
    ("fastapi/fastapi", "MIT", "docs/{}/docs/", "en", ["de", "fr", "es", "pt", "zh", "ja"]),
    ("withastro/docs", "MIT", "src/content/docs/{}/", "en", ["de", "fr", "es", "pt-br", "it", "zh-cn", "ja"]),
    ("open-telemetry/opentelemetry.io", "CC BY 4.0", "content/{}/", "en", ["fr", "es", "pt", "zh", "ja"]),
    ("cncf/glossary", "CC BY 4.0", "content/{}/", "en", ["de", "fr", "es", "pt-br", "it", "zh-cn", "ja"]),
]

# One-line descriptions of commands, in several languages.
TLDR = ("tldr-pages/tldr", "CC BY 4.0", ["de", "fr", "es", "pt_BR", "it", "zh", "ja"])

# Everyday language: a dictionary, and sentences (the teacher's similarities are learned from them).
WORDS = ("globalwordnet/english-wordnet", "CC BY 4.0 and the WordNet licence")
SENTENCES = ("common-voice/common-voice", "CC0-1.0", "server/data/en/")
