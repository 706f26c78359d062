/** The characters of a command line, of which a limited number is read. */
export class Characters {
  at = 0;
  /** Nothing is read from here on. */
  end: number;
  readonly source: string;

  constructor(source: string, most: number) {
    this.source = source;
    this.end = Math.min(source.length, most);
  }

  peek(ahead = 0): string {
    return this.at + ahead < this.end ? (this.source[this.at + ahead] ?? "") : "";
  }

  find(text: string, from: number): number {
    const found = this.source.indexOf(text, from);
    return found === -1 || found > this.end ? this.end : found;
  }

  /** Passes what a sticky pattern matches here. */
  run(pattern: RegExp): string {
    const start = this.at;
    pattern.lastIndex = start;
    this.at = pattern.test(this.source) ? Math.min(this.end, pattern.lastIndex) : start + 1;
    return this.source.slice(start, this.at);
  }

  lineEnd(): number {
    return this.find("\n", this.at);
  }

  /** `$'…'` */
  ansiQuoted(): string {
    const start = this.at + 2;
    this.at = start;
    while (this.at < this.end && this.peek() !== "'") this.at += this.peek() === "\\" ? 2 : 1;
    const text = this.source.slice(start, Math.min(this.at, this.end));
    this.at++;
    return text.replace(/\\([nt\\'"])/g, (_, one: string) => (one === "n" ? "\n" : one === "t" ? "\t" : one));
  }

  /** The body of a here-document, of which the first line begins here. It does not count as read. */
  hereDocument(delimiter: string, isIndented: boolean): string {
    const start = this.at;
    let body = "";
    while (this.at < this.source.length) {
      const next = this.source.indexOf("\n", this.at);
      const end = next === -1 ? this.source.length : next;
      const line = this.source.slice(this.at, end);
      const own = isIndented ? line.replace(/^\t+/, "") : line;
      this.at = Math.min(end + 1, this.source.length);
      if (own.trimEnd() === delimiter) break;
      body += `${own}\n`;
    }
    this.end = Math.min(this.source.length, this.end + this.at - start);
    return body;
  }
}
