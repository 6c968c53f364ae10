/**
 * A map that forgets its oldest entry when it is full. The caches of the edge are far larger than what is in use, so
 * which entry goes matters little; a look-up happens three times in every request, and an LRU would move entries about
 * each time.
 */
export class BoundedMap<K, V> {
  private readonly entries = new Map<K, V>();

  constructor(private readonly max: number) {}

  get(key: K): V | undefined {
    return this.entries.get(key);
  }

  set(key: K, value: V): void {
    if (this.entries.size >= this.max && !this.entries.has(key)) {
      for (const oldest of this.entries.keys()) {
        this.entries.delete(oldest);
        break;
      }
    }
    this.entries.set(key, value);
  }

  delete(key: K): void {
    this.entries.delete(key);
  }
}
