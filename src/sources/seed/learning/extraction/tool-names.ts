/**
 * Tools that are chosen once for a project and a person: being told to use another one is seldom about this task only.
 * What is not here is not missed for good; said in a few sessions, it is found as a repetition.
 */
const NAMES = `
  npm pnpm yarn bun deno npx bunx pip pipx uv poetry conda pdm hatch cargo gradle maven bazel make just mise asdf nvm fnm volta nix brew
  vitest jest mocha ava cypress playwright pytest unittest tox nox rspec minitest junit testcontainers
  eslint prettier biome oxlint ruff black flake8 isort pylint mypy pyright clippy rustfmt gofmt gofumpt golangci-lint shellcheck rubocop
  typescript javascript python rust esm commonjs tsx ts-node esbuild vite webpack rollup turbopack tsup
  react vue svelte solid tailwind zod valibot drizzle prisma sqlalchemy fastapi flask django express hono
  postgres postgresql sqlite mysql redis duckdb docker podman kubectl helm terraform
  git gh jj ripgrep rg fd jq sed rebase squash conventional-commits tabs spaces
`
  .trim()
  .split(/\s+/);

const ANY = NAMES.map((name) => name.replaceAll("-", "[- ]")).join("|");

/** A tool's name as a part of a pattern, also where it is written as code. */
export const TOOL = `(?:${ANY})(?![\\w-])`;
