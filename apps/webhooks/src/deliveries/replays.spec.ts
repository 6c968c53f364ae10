import type { OutboxEntry } from '@ponte/contracts';
import type { LogSlice } from '@ponte/event-sourcing';
import { pause } from '@ponte/concurrency';
import { eventually } from '@ponte/testing';
import { CheckpointTracker } from '../outbox/reader-progress.service';
import type { ReplayParts } from './when-replay-requested-schedule-deliveries.policy';
import { Replays } from './when-replay-requested-schedule-deliveries.policy';

const entry = (accountId: string, number: number): OutboxEntry =>
  ({
    envelope: { eventId: `${accountId}-${number}`, eventType: 'order-created', resourceType: 'order', resourceId: 'o' },
  }) as unknown as OutboxEntry;

/** A slice with one request for a replay. */
const requested = (accountId: string, position: string, from = ''): LogSlice =>
  ({
    events: [
      {
        id: `request-${position}`,
        type: 'WebhookReplayRequested',
        position,
        meta: {},
        data: { accountId, endpointId: 'e', replayId: position, from, to: '', eventTypes: null, missedOnly: false },
      },
    ],
    position,
  }) as unknown as LogSlice;

describe('replays', () => {
  let saved: string | undefined;
  /** The position of the outboxes, and per account the position of the last entry. */
  let reached: string;
  let ends: Record<string, string>;
  /** The entries that a replay reads before it is held up, by account. */
  let releases: Map<string, () => void>;
  let scheduled: string[];
  let begun: string[];
  let failures: number;
  let stopping: AbortController;
  let replays: Replays;
  let checkpoint: CheckpointTracker;

  beforeEach(async () => {
    [saved, reached, ends, releases, scheduled, begun, failures] = ['0', '9', {}, new Map(), [], [], 0];
    stopping = new AbortController();
    const kept = {
      load: async () => saved,
      save: async (_reader: string, position: string) => {
        saved = position;
        return true;
      },
    };
    checkpoint = new CheckpointTracker(kept);
    await checkpoint.load('replays');
    const parts = {
      store: { comparePositions: (a: string, b: string) => Number(a) - Number(b) },
      checkpoints: { load: async () => reached },
      progress: checkpoint,
      outbox: {
        async *range(accountId: string, from: string) {
          begun.push(from);
          yield [entry(accountId, 1)];
          if (accountId.startsWith('large'))
            await new Promise<void>((resolve) => {
              releases.set(accountId, resolve);
            });
          yield [entry(accountId, 2)];
        },
        reaches: async (accountId: string, position: string) => Number(ends[accountId] ?? '0') >= Number(position),
      },
      endpoints: { find: async () => ({ status: 'enabled', eventTypes: null }) },
      deliveries: {
        now: () => '2026-06-01T00:00:00.000Z',
        load: async () => ({ delivery: { status: 'unscheduled' } }),
        create: async (_id: string, _step: string, _origin: object, command: (now: string) => object) => {
          if ((failures -= 1) >= 0) throw new Error('the database is away');
          const { terms } = command('') as { terms: { envelope: { eventId: string } } };
          scheduled.push(terms.envelope.eventId);
        },
      },
      stopping: stopping.signal,
      failed: () => undefined,
    };
    replays = new Replays(parts as unknown as ReplayParts);
  });
  afterEach(async () => {
    stopping.abort();
    for (const release of releases.values()) release();
    await replays.ended();
  });

  it('of one account do not wait for the long replay of another, and the checkpoint waits for both', async () => {
    await replays.apply(requested('large', '1'));
    await eventually(() => expect(scheduled).toEqual(['large-1']));
    await replays.apply(requested('small', '2'));
    await eventually(() => expect(scheduled).toEqual(['large-1', 'small-1', 'small-2']));
    await checkpoint.save('replays', '2');
    expect(saved).toBe('0');
    releases.get('large')?.();
    await eventually(() => expect([saved, scheduled.at(-1)]).toEqual(['2', 'large-2']));
  });

  it('of one account run one after the other, and one that is read again is not repeated', async () => {
    await replays.apply(requested('large', '1'));
    await replays.apply(requested('large', '2'));
    await replays.apply(requested('large', '2'));
    await eventually(() => expect(scheduled).toEqual(['large-1']));
    for (let at = 1; at <= 2; at += 1) {
      await eventually(() => expect(releases.size).toBe(1));
      releases.get('large')?.();
      releases.delete('large');
    }
    await replays.ended();
    expect(scheduled).toEqual(['large-1', 'large-2', 'large-1', 'large-2']);
  });

  it('begin at the oldest event that the event log has', async () => {
    await replays.apply(requested('small', '1', '2026-05-31T00:00:00.000Z'));
    await replays.apply(requested('small', '2', '2026-01-01T00:00:00.000Z'));
    await replays.ended();
    expect(begun).toEqual(['2026-05-31T00:00:00.000Z', '2026-03-03T00:00:00.000Z']);
  });

  it('are repeated until they succeed', async () => {
    failures = 2;
    await replays.apply(requested('small', '1'));
    await checkpoint.save('replays', '1');
    await eventually(() => expect([saved, scheduled]).toEqual(['1', ['small-1', 'small-2']]));
  });

  it('are not held up by the outbox of another account, which holds the position of all outboxes', async () => {
    reached = '0';
    await replays.apply(requested('small', '1'));
    await pause(300);
    expect(scheduled).toEqual([]);
    ends['small'] = '5';
    await eventually(() => expect(scheduled).toEqual(['small-1', 'small-2']), 10_000);
  });
});
