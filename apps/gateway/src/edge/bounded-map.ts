/**
 * A map that forgets its oldest entry when it is full. The caches of the edge are far larger than what is in use, so
 * which entry goes matters little; a look-up happens three times in every request, and an LRU would move entries about
 * each time.
 */
export class BoundedMap<K, V> extends Map<K, V> {
  constructor(private readonly max: number) {
    super();
  }

  override set(key: K, value: V): this {
    if (this.size >= this.max && !this.has(key)) {
      for (const oldest of this.keys()) {
        this.delete(oldest);
        break;
      }
    }
    return super.set(key, value);
  }
}
