/** A vector in a quarter of its space: whole numbers from -127 to 127, and what one of them is worth. */
export interface Int8Vector {
  readonly values: Int8Array;
  readonly scale: number;
}

/** The kernel takes sixteen at a time; what is missing is filled with zeros, which change no product. */
export const paddedDimensions = (dimensions: number): number => Math.ceil(dimensions / 16) * 16;

/** Each vector has a scale of its own, so that all of its range is used. */
export function toInt8(vector: Float32Array): Int8Vector {
  const values = new Int8Array(paddedDimensions(vector.length));
  const most = vector.reduce((max, one) => Math.max(max, Math.abs(one)), 0);
  if (most === 0) return { values, scale: 0 };
  for (let i = 0; i < vector.length; i++) values[i] = Math.round(((vector[i] ?? 0) / most) * 127);
  return { values, scale: most / 127 };
}
