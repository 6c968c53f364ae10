import { LRUCache } from 'lru-cache';

/** `ttl`: milliseconds after which a value is absent. `dispose`: called with each value that leaves the cache. */
type Options<K extends {}, V extends {}> = Pick<LRUCache.OptionsBase<K, V, unknown>, 'ttl' | 'dispose'> & {
  /** How many values one counts as. */
  readonly sizeOf?: (value: V) => number;
};

/**
 * A cache of at most `entries` values that drops the least recently used one. The number of values is limited as a size
 * and not with `max`, because `max` allocates every place when the cache is made: 30 ms and 3 MB for 100,000 values.
 */
export const lruCache = <K extends {}, V extends {}>(
  entries: number,
  { sizeOf = () => 1, ...options }: Options<K, V> = {},
): LRUCache<K, V> => new LRUCache({ ...options, maxSize: entries, sizeCalculation: sizeOf });

/** A new object with only these fields of another one. */
export const pick = <T extends object, K extends keyof T>(from: T, ...names: readonly K[]): Pick<T, K> =>
  Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, K>;

/** `txHash` becomes `tx-hash`. */
type Kebab<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${Kebab<Rest>}`
  : Name;
/** `tx-hash` becomes `txHash`. */
type Camel<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;
type NameIn<T> = keyof T & string;

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** These fields of an object under their names on the wire, which are in kebab-case. */
export const toWire = <T extends object, K extends NameIn<T>>(from: T, ...names: readonly K[]) =>
  Object.fromEntries(names.map((name) => [kebab(name), from[name]])) as { [Name in K as Kebab<Name>]: T[Name] };

/** As {@link toWire}, without the fields that are null or undefined. */
export const toWireIfSet = <T extends object, K extends NameIn<T>>(from: T, ...names: readonly K[]) =>
  toWire(from, ...names.filter((name) => (from[name] ?? null) !== null)) as {
    [Name in K as Kebab<Name>]?: NonNullable<T[Name]>;
  };

type OrNull<V> = undefined extends V ? Exclude<V, undefined> | null : V;

/** The reverse of {@link toWire}: these camelCase fields of a body or a query. Absent ones are null. */
export const fromWire = <T extends object, K extends Camel<NameIn<T>>>(from: T, ...names: readonly K[]) =>
  Object.fromEntries(names.map((name) => [name, (from as Record<string, unknown>)[kebab(name)] ?? null])) as {
    [Name in NameIn<T> as Extract<Camel<Name>, K>]-?: OrNull<T[Name]>;
  };

interface Change<V> {
  readonly key: string;
  /** The value in this version; undefined if the key is absent. */
  readonly value: V | undefined;
  readonly newer: PersistentMap<V>;
}

/**
 * An immutable map for states that are folded event by event, where copying a `Map` for each event would cost time
 * proportional to its size. Only the newest version has the `Map`; an older version stores how it differs from the next
 * one. So reads and changes of the newest version take constant time. Older versions can still be read, and changing
 * one, which is rare, copies the map.
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

  /** Shared by all initial states, so it never hands its `Map` over to a newer version. */
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

  /** All entries, in no particular order. */
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

  /** The map itself for the newest version, a copy for any other. */
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
