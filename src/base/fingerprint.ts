/**
 * 64 bits that tell two texts apart, as hex. Not cryptographic: it answers "was this text delivered already?", and it
 * does so in a hundredth of the time that a hook would spend on SHA-256 (docs/design/benchmarks.md).
 */
export function fingerprint(text: string): string {
  const [a, b] = halves(text);
  return hex(a) + hex(b);
}

/** The first 48 bits of it: as many as a number holds exactly. */
export function fingerprintNumber(text: string): number {
  const [a, b] = halves(text);
  return (a >>> 0) * 0x10000 + (b >>> 16);
}

function halves(text: string): [number, number] {
  // Two multiplicative hashes of 32 bits with different seeds and factors, each stirred by the other at the end.
  let a = 0x9e3779b9 ^ text.length;
  let b = 0x85ebca6b;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x9e3779b1);
    b = Math.imul(b ^ unit, 0x5f356495);
  }
  a = stir(a) ^ stir(b ^ 0x27d4eb2f);
  b = stir(b) ^ stir(a);
  return [a, b];
}

function stir(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

function hex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, "0");
}
