import type { Steps } from '@ponte/kernel';
import { PackedInts } from './packed-ints.domain';

const PAIRS_PER_STEP = 100_000;

/** Pairs of a key and a value, both whole numbers, before they are grouped. */
export class PackedPairs {
  readonly keys = new PackedInts();
  readonly values = new PackedInts();

  /** The memory that is taken. */
  get bytes(): number {
    return this.keys.bytes + this.values.bytes;
  }

  add(key: number, value: number): void {
    this.keys.push(key);
    this.values.push(value);
  }
}

/** Values by the lowest bits of their keys, each group in the order in which the pairs were added. */
export class PackedGroups {
  private constructor(
    private readonly starts: Uint32Array,
    private readonly values: Uint32Array,
  ) {}

  /** Groups the pairs by so many bits of their keys that there are at least `groups` groups. */
  static *of({ keys, values }: PackedPairs, groups: number): Steps<PackedGroups> {
    const size = 2 ** Math.ceil(Math.log2(Math.max(1, groups)));
    const starts = new Uint32Array(size + 1);
    const grouped = new Uint32Array(keys.length);
    // Each count is kept one place further, so that the sums become the starts of the groups.
    for (let i = 0; i < keys.length; i++) {
      const next = (keys.at(i) & (size - 1)) + 1;
      starts[next] = (starts[next] as number) + 1;
      if (i % PAIRS_PER_STEP === 0) yield;
    }
    for (let group = 0; group < size; group++)
      starts[group + 1] = (starts[group + 1] as number) + (starts[group] as number);
    yield;
    const next = starts.slice();
    for (let i = 0; i < keys.length; i++) {
      const group = keys.at(i) & (size - 1);
      const place = next[group] as number;
      grouped[place] = values.at(i);
      next[group] = place + 1;
      if (i % PAIRS_PER_STEP === 0) yield;
    }
    return new PackedGroups(starts, grouped);
  }

  /** The values whose keys are in the same group as the key. */
  with(key: number): Uint32Array {
    const group = key & (this.starts.length - 2);
    return this.values.subarray(this.starts[group], this.starts[group + 1]);
  }
}
