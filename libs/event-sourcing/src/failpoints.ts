import type { Decorator } from '@ponte/kernel';
import type { EventToAppend } from './event';
import type { Appended, EventStore } from './ports/event-store';

interface Failpoint {
  readonly when: 'before' | 'after';
  readonly type: string;
  readonly count: number;
}

const SPEC = /^(before|after):([A-Za-z]+)(?::([1-9]\d*))?$/;

/**
 * Kills this process, as `kill -9` does, before or after the append of the n-th event of a type. Examples:
 * `before:OrderPlaced`, `after:HoldPlaced:2`. For tests; refused in production.
 */
export class Failpoints {
  private point: Failpoint | undefined;
  private seen = 0;

  constructor() {
    if (process.env['NODE_ENV'] === 'production') throw new Error('failpoints cannot be used in production');
  }

  /** Sets the failpoint, replacing an earlier one, and starts counting events. Throws if `spec` is invalid. */
  arm(spec: string): void {
    this.point = parse(spec);
    this.seen = 0;
  }

  /** Leaves the store unchanged while no failpoint is set. */
  readonly decorator: Decorator<EventStore> = (store) => ({
    append: (stream, expectedRevision, events) => {
      const append = () => store.append(stream, expectedRevision, events);
      return this.point ? this.append(this.point, events, append) : append();
    },
  });

  private async append(
    point: Failpoint,
    events: readonly EventToAppend[],
    append: () => Promise<Appended>,
  ): Promise<Appended> {
    const before = this.seen;
    this.seen += events.filter((event) => event.type === point.type).length;
    const last = before < point.count && this.seen >= point.count;
    if (last && point.when === 'before') return die();
    const appended = await append();
    return last ? die() : appended;
  }
}

/** Whether failpoints may be set in this process. */
export const failpointsAllowed = (): boolean => process.env['NODE_ENV'] !== 'production';

function parse(spec: string): Failpoint {
  const [, when, type, count] = SPEC.exec(spec) ?? [];
  if ((when !== 'before' && when !== 'after') || type === undefined)
    throw new Error(`${spec} is not a failpoint; use for example before:OrderPlaced or after:HoldPlaced:2`);
  return { when, type, count: Number(count ?? 1) };
}

/** Never resolves; the promise is for the compiler. */
function die(): Promise<never> {
  process.kill(process.pid, 'SIGKILL');
  return new Promise<never>(() => undefined);
}
