/**
 * A map that keeps what was used lately, in two generations: when the young one is full it becomes the old one, and
 * what was in the old one is forgotten. At least half of `capacity` entries, the latest, are there at any time, and at
 * most all of it. An exact order of use would cost a change of it at every look; this costs one look.
 */
export class RecentMap<K, V> {
  private young = new Map<K, V>();
  private old = new Map<K, V>();
  private readonly half: number;

  constructor(capacity: number) {
    this.half = Math.max(1, Math.ceil(capacity / 2));
  }

  /** Counts as use. */
  get(key: K): V | undefined {
    const value = this.young.get(key);
    if (value !== undefined || this.old.size === 0) return value;
    const aged = this.old.get(key);
    if (aged !== undefined) this.set(key, aged);
    return aged;
  }

  /** Does not count as use. */
  peek(key: K): V | undefined {
    return this.young.get(key) ?? this.old.get(key);
  }

  set(key: K, value: V): void {
    if (this.young.size >= this.half && !this.young.has(key)) {
      this.old = this.young;
      this.young = new Map();
    }
    this.young.set(key, value);
  }

  delete(key: K): void {
    this.young.delete(key);
    this.old.delete(key);
  }

  clear(): void {
    this.young.clear();
    this.old.clear();
  }
}
