import { derivedId } from '@ponte/kernel';

/** Pseudo-random numbers and ids that are the same on each run. */
export class Seeded {
  private state: number;

  constructor(private readonly seed: number) {
    this.state = seed;
  }

  /** A whole number from 0 to below `limit`. */
  below(limit: number): number {
    // A 32-bit Weyl sequence with a finalizing mix.
    this.state = (this.state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) % limit;
  }

  /** True with a probability of `percent` in a hundred. */
  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  id(kind: string, ...parts: readonly (string | number)[]): string {
    return derivedId('bench', kind, String(this.seed), ...parts.map(String));
  }

  /** `0x` followed by `bytes` bytes in hex, derived from the parts. */
  hex(bytes: number, ...parts: readonly (string | number)[]): string {
    let text = '';
    for (let at = 0; text.length < 2 * bytes; at += 1) text += this.id('hex', at, ...parts).replaceAll('-', '');
    return `0x${text.slice(0, 2 * bytes)}`;
  }
}
