/**
 * Bits for each name, and probes for each look: one name in some two thousand that is not there passes for one that may
 * be.
 */
const BITS_PER_NAME = 16;
const PROBES = 5;
const FIRST_LAYER_BITS = 2 ** 20;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const SECOND_SEED = 0x9e3779b9;
const MIX = 0x85ebca6b;

interface Layer {
  readonly bits: Int32Array;
  readonly room: number;
  held: number;
}

/**
 * Which names were added, in two bytes a name (a Bloom filter): it may take one for added that was not, and never the
 * other way round. When a layer is full the next is twice its size; it forgets nothing.
 */
export class NameFilter {
  private readonly layers: Layer[] = [];

  add(name: string): void {
    let layer = this.layers.at(-1);
    if (!layer || layer.held >= layer.room)
      this.layers.push((layer = layerOf(layer ? layer.bits.length * 64 : FIRST_LAYER_BITS)));
    layer.held += 1;
    const { bits } = layer;
    const mask = bits.length * 32 - 1;
    let at = hashOf(name, FNV_OFFSET);
    const stride = strideOf(name);
    for (let probe = 0; probe < PROBES; probe += 1, at += stride)
      bits[(at & mask) >>> 5] = (bits[(at & mask) >>> 5] as number) | (1 << (at & 31));
  }

  /** False: it was never added. */
  mayHave(name: string): boolean {
    const first = hashOf(name, FNV_OFFSET);
    const stride = strideOf(name);
    return this.layers.some(({ bits }) => isIn(bits, first, stride));
  }
}

const layerOf = (bits: number): Layer => ({ bits: new Int32Array(bits / 32), room: bits / BITS_PER_NAME, held: 0 });

/** Odd, so that the probes of a name are different places. */
const strideOf = (name: string): number => hashOf(name, SECOND_SEED) | 1;

function isIn(bits: Int32Array, first: number, stride: number): boolean {
  const mask = bits.length * 32 - 1;
  let at = first;
  for (let probe = 0; probe < PROBES; probe += 1, at += stride)
    if (((bits[(at & mask) >>> 5] as number) & (1 << (at & 31))) === 0) return false;
  return true;
}

function hashOf(name: string, seed: number): number {
  let hash = seed;
  for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), FNV_PRIME);
  // The last characters have reached only the lower bits so far.
  hash = Math.imul(hash ^ (hash >>> 15), MIX);
  return (hash ^ (hash >>> 13)) >>> 0;
}
