import { CODE } from "./own-sentences.ts";

/** Names of things that are written with capitals inside, and are no identifiers. */
const NAMES = `
  GitHub GitLab TypeScript JavaScript PostgreSQL MySQL GraphQL ESLint OpenCode OpenAPI OpenAI DevOps iOS macOS NixOS VSCode PyTorch
  NumPy FastAPI SQLAlchemy DuckDB MongoDB DynamoDB CommonJS NodeJS NextJS LaTeX PowerShell JetBrains IntelliJ
`
  .trim()
  .split(/\s+/);
const NAME = new RegExp(`\\b(?:${NAMES.join("|")})\\b`, "g");
const IDENTIFIER = /\b[a-z]+[A-Z]\w*|\b[A-Z][a-z0-9]+[A-Z]\w*|\b\w+_\w+|\b\w+\(\)|\b\w+\.\w+\(|::|->|=>/g;
const SPAN = new RegExp(`${CODE}+`, "g");

/** One name may be what an instruction is about; with more it is about a place in the code. */
export function isAboutCode(content: string, masked: string): boolean {
  const names = withoutNames(content.replace(/`[^`]*`/g, " "));
  const identifiers = names.match(IDENTIFIER)?.length ?? 0;
  const spans = masked.match(SPAN)?.length ?? 0;
  return identifiers > 1 || identifiers + spans > 2;
}

export function withoutIdentifiers(content: string): string {
  return withoutNames(content).replace(IDENTIFIER, " ");
}

function withoutNames(text: string): string {
  return text.replace(NAME, (name) => name.toLowerCase());
}
