interface Change<V> {
  readonly key: string;
  /** What this version has under the key, undefined for nothing. */
  readonly value: V | undefined;
  readonly newer: PersistentMap<V>;
}

/**
 * An immutable map for states that are folded event by event: copying a `Map` at each event would cost as much as the
 * map is large. The newest version owns the one `Map`; an older version knows what it differs by from the next. So the
 * newest reads and changes in constant time, an older one still answers as it always did, and a change of an older one,
 * which is rare, copies.
 */
export class PersistentMap<V> {
  private entries: Map<string, V> | undefined;
  private change: Change<V> | undefined;

  private constructor(
    entries?: Map<string, V>,
    readonly size = entries?.size ?? 0,
  ) {
    this.entries = entries;
  }

  /** Shared by all states that have not begun, so it never hands itself over to a newer version. */
  static empty<V>(): PersistentMap<V> {
    return new PersistentMap<V>();
  }

  static of<V>(entries: Iterable<readonly [string, V]>): PersistentMap<V> {
    return new PersistentMap<V>(new Map(entries));
  }

  get(key: string): V | undefined {
    if (!this.change) return this.entries?.get(key);
    let { change, entries } = this.parts();
    while (change) {
      if (change.key === key) return change.value;
      ({ change, entries } = change.newer.parts());
    }
    return entries?.get(key);
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  with(key: string, value: V): PersistentMap<V> {
    return this.next(key, value);
  }

  without(key: string): PersistentMap<V> {
    return this.has(key) ? this.next(key, undefined) : this;
  }

  /** All entries, in no promised order. */
  all(): readonly (readonly [string, V])[] {
    return [...this.own().entries()];
  }

  private parts(): { change: Change<V> | undefined; entries: Map<string, V> | undefined } {
    return { change: this.change, entries: this.entries };
  }

  private next(key: string, value: V | undefined): PersistentMap<V> {
    const entries = this.own();
    const before = entries.get(key);
    if (value === undefined) entries.delete(key);
    else entries.set(key, value);
    const newer = new PersistentMap(entries);
    if (this.entries === entries) {
      this.entries = undefined;
      this.change = { key, value: before, newer };
    }
    return newer;
  }

  /** The map itself on the newest version, a copy on any other. */
  private own(): Map<string, V> {
    if (!this.change) return this.entries ?? new Map<string, V>();
    const changes: Change<V>[] = [];
    let { change, entries } = this.parts();
    while (change) {
      changes.push(change);
      ({ change, entries } = change.newer.parts());
    }
    const copy = new Map(entries);
    for (const { key, value } of changes.reverse()) {
      if (value === undefined) copy.delete(key);
      else copy.set(key, value);
    }
    return copy;
  }
}
