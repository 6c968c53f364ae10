/**
 * A map that drops its oldest entry when it is full. The gateway's caches are far larger than the set in use, so it
 * hardly matters which entry is dropped. An LRU would reorder entries at each look-up, three times per request.
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
