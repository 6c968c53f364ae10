import type { EventStore, EventToAppend } from '@ponte/event-sourcing';

interface Failpoint { readonly when: 'before' | 'after'; readonly type: string; readonly count: number }

const SPEC = /^(before|after):([A-Za-z]+)(?::([1-9]\d*))?$/;

/**
 * Kills this process, as `kill -9` does, before or after the append of the n-th event of a type: `before:OrderPlaced`,
 * `after:HoldPlaced:2`. Null and `none` leave the store as it is. For tests; refused in production.
 */
export function withFailpoints(store: EventStore, spec: string | null): EventStore {
  if (spec === null || spec === '' || spec === 'none') return store;
  if (process.env['NODE_ENV'] === 'production') throw new Error('failpoints are not for production');
  const point = parse(spec);
  let seen = 0;
  const due = (events: readonly EventToAppend[]): boolean => {
    const before = seen;
    seen += events.filter((event) => event.type === point.type).length;
    return before < point.count && seen >= point.count;
  };
  return {
    soleWriter: store.soleWriter,
    async append(stream, expectedRevision, events) {
      const last = due(events);
      if (last && point.when === 'before') return die();
      const appended = await store.append(stream, expectedRevision, events);
      return last ? die() : appended;
    },
    read: (stream, options) => store.read(stream, options),
    subscribe: (filter) => store.subscribe(filter),
    head: () => store.head(),
    comparePositions: (a, b) => store.comparePositions(a, b),
    close: () => store.close(),
  };
}

function parse(spec: string): Failpoint {
  const [, when, type, count] = SPEC.exec(spec) ?? [];
  if ((when !== 'before' && when !== 'after') || type === undefined) throw new Error(`${spec} is not a failpoint; say before:OrderPlaced or after:HoldPlaced:2`);
  return { when, type, count: Number(count ?? 1) };
}

/** Nothing after this runs: the promise is for the compiler. */
function die(): Promise<never> {
  process.kill(process.pid, 'SIGKILL');
  return new Promise<never>(() => undefined);
}
