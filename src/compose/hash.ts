/**
 * SHA-256 of a text, as hex. Written out because loading node:crypto costs a hook 5 ms, more than all its other work
 * before the first read (docs/benchmarks.md); a test holds it equal to node:crypto. Not for secrets.
 */
export function sha256(text: string): string {
  const state = new Int32Array(START);
  const bytes = padded(Buffer.from(text, "utf8"));
  const words = new Int32Array(64);
  for (let block = 0; block < bytes.length; block += 64) {
    for (let i = 0; i < 16; i++) words[i] = bytes.readInt32BE(block + i * 4);
    mix(state, words);
  }
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

function padded(bytes: Buffer): Buffer {
  const result = Buffer.alloc(Math.ceil((bytes.length + 9) / 64) * 64);
  bytes.copy(result);
  result[bytes.length] = 0x80;
  result.writeBigUInt64BE(BigInt(bytes.length) * 8n, result.length - 8);
  return result;
}

function mix(state: Int32Array, w: Int32Array): void {
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15] as number;
    const y = w[i - 2] as number;
    const s0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
    const s1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
    w[i] = ((w[i - 16] as number) + s0 + (w[i - 7] as number) + s1) | 0;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (ROUND[i] as number) + (w[i] as number)) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((value, i) => {
    state[i] = ((state[i] as number) + value) | 0;
  });
}

function rotate(value: number, by: number): number {
  return (value >>> by) | (value << (32 - by));
}

/** The standard's constants are the first 32 bits of the fractional parts of roots of the first 64 primes. */
const PRIMES = firstPrimes(64);
const ROUND = Int32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));
const START = Int32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));

function fraction(root: number): number {
  return ((root - Math.floor(root)) * 2 ** 32) | 0;
}

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return primes;
}
