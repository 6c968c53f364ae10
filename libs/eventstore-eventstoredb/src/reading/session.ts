import type { EventStoreDBClient } from '@eventstore/db-client';
import type { Position, EngineLogger } from '@ponte/event-sourcing';
import { isAccessRefusal, reportedFailure } from '../failures';
import type { Feed } from './feed';
import type { EventStoreDbLimits } from '../options';
import { isAtLeast, laterOf } from './position';
import type { HeldClient, ProvenClient } from '../proven-client';
import { endOf } from './reads';
import type { StoreFaults } from '../store-faults';
import { TimedOut } from '@ponte/concurrency';

export interface SharedSubscriptionParts {
  readonly clients: ProvenClient;
  readonly limits: EventStoreDbLimits;
  readonly logger: EngineLogger;
  readonly faults: StoreFaults;
  readonly leaderEnd: () => Promise<Position | undefined>;
  /** The last acknowledged position that this store wrote. */
  readonly written: () => Position | undefined;
}

/** The subscriptions of one client, which all use one node. If one fails, all are opened again on another client. */
export interface Session {
  readonly client: EventStoreDBClient;
  /** The last position that this node is known to have. */
  known: Position | undefined;
  isOver: boolean;
  fail(error: unknown): void;
}

/**
 * A reader that uses the shared subscription. It is woken for events that it reads, when a session begins or ends, and
 * from time to time while the log grows with other events.
 */
export interface LiveReader {
  readonly readsCategory: (category: string) => boolean;
  readonly wake: () => void;
}

/**
 * Checks periodically whether the node still answers and whether the subscription has delivered all events; otherwise
 * fails the feed. `last` returns the last delivered position.
 */
export function watchNode(
  { limits, clients, written }: SharedSubscriptionParts,
  held: HeldClient,
  session: Session,
  feed: Feed,
  last: () => Position | undefined,
): NodeJS.Timeout {
  let [seen, since, expected] = [last(), performance.now(), undefined as Position | undefined];
  const beat = async (): Promise<void> => {
    await clients.ask(held);
    if (held.isGivenUp) return feed.fail(new TimedOut(limits.proveMs));
    const now = performance.now();
    if (last() !== seen) [seen, since, expected] = [last(), now, undefined];
    const goal = laterOf(expected, written());
    if (!isAtLeast(seen, goal) && now - since > limits.missingMs)
      return feed.fail(new Error('the subscription missed an event that is in the log'));
    if (isAtLeast(seen, expected)) expected = undefined;
    if (now - since < limits.lookMs || expected !== undefined) return;
    // Nothing was delivered for a long time: check whether the log has more.
    expected = await endOf(session.client, limits.readMs, false);
    since = performance.now();
  };
  let beating = false;
  return setInterval(
    () => {
      if (beating || session.isOver) return;
      beating = true;
      beat()
        .catch((error: unknown) => feed.fail(error))
        .finally(() => {
          beating = false;
        });
    },
    Math.min(limits.pulseMs, limits.lookMs),
  ).unref();
}

/** Logs why a subscription ended. A refused user is a fault that an operator must fix. */
export function reportEnded(
  error: unknown,
  after: Position | undefined,
  { logger, faults }: Pick<SharedSubscriptionParts, 'logger' | 'faults'>,
): void {
  const failure = reportedFailure(error);
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (!isAccessRefusal(cause)) {
    logger.warn({ ...failure, after }, 'the subscription to the event store ended and is being opened again');
    return;
  }
  const text =
    'the event store refused the user of this process: check the user and password in ESDB_URL, and that the default ACL in $settings allows it to read $all';
  faults.raise({ kind: 'access', reader: 'all readers', text });
  logger.error({ ...failure }, `${text}. Retrying`);
}
