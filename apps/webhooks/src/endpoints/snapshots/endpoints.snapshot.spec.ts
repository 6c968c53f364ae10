import { createHash } from 'node:crypto';
import { setImmediate as immediately } from 'node:timers/promises';
import { Aggregates, SNAPSHOT_EVERY } from '@ponte/event-sourcing';
import { MemoryEventStore, MemorySnapshots } from '@ponte/testing';
import type { EndpointCommand } from '../endpoints.decider';
import { endpointsDecider } from '../endpoints.decider';
import { endpointsSnapshots } from './endpoints.snapshot';
import type { Endpoints } from '../endpoints.state';
import { targetRules } from '../target.domain';

const NOW = '2026-03-02T12:00:00.000Z';
const SAVED_TURNS = 50;
const PINGS = 3 * SNAPSHOT_EVERY;

const create = (endpointId: string, query: boolean): EndpointCommand => ({
  ...{ kind: 'create', endpointId, accountId: 'a', eventTypes: query ? ['order-completed'] : null },
  ...{ url: 'https://partner.example/hooks', sealedUrl: query ? 'sealed:v1:url:x' : null, description: null },
  ...{ secret: 'sealed:v1:secret:x', rules: targetRules('production'), addresses: [], now: NOW },
});
const ping = (eventId: string): EndpointCommand => ({ kind: 'ping', endpointId: 'e1', eventId, now: NOW });

/** Every field of an endpoint is set in one of them. */
const LIFE: readonly EndpointCommand[] = [
  create('e1', false),
  create('e2', true),
  ping('p1'),
  { kind: 'rotate-secret', endpointId: 'e1', secret: 'sealed:v1:secret:y', now: NOW },
  { kind: 'disable', endpointId: 'e2', reason: 'gone', parentId: 'b', failedAt: NOW, now: NOW },
  { kind: 'replay', endpointId: 'e1', replayId: 'r1', from: NOW, to: NOW, eventTypes: null, now: NOW },
  {
    kind: 'note-failing',
    endpointId: 'e1',
    summary: {
      ...{ date: '2026-03-02', failingSince: NOW, pending: 1, failed: 0, attempts: 2 },
      ...{ lastStatus: 500, lastReason: 'http-status' },
    },
    now: NOW,
  },
];
const lived = (commands: readonly EndpointCommand[]): Endpoints =>
  commands.reduce<Endpoints>(
    (state, command) => endpointsDecider.decide(command, state).reduce(endpointsDecider.evolve, state),
    endpointsDecider.initial,
  );

describe('a snapshot of the endpoints of an account', () => {
  it('restores them in their order', () => {
    const before = lived(LIFE);
    const after = endpointsSnapshots.decode(endpointsSnapshots.encode(before));
    expect([...after.byId]).toEqual([...before.byId]);
    expect([before.replays, after.replays]).toEqual([[NOW], [NOW]]);
  });

  it('has a new shape version when the encoding of a known history changes', () => {
    const { head } = endpointsSnapshots.encode(lived(LIFE));
    const digest = createHash('sha256').update(JSON.stringify(head)).digest('hex');
    // If this fails, raise the version of the shape so that old snapshots are ignored, and put both new values here.
    expect([endpointsSnapshots.shape, digest.slice(0, 16)]).toEqual([4, 'aeb0d938157c95b1']);
  });

  it('spares a new process from reading every ping that was ever sent', async () => {
    const [store, snapshots] = [new MemoryEventStore(), new MemorySnapshots()];
    const process = () => new Aggregates({ store, snapshots, systemNow: () => 0, pause: async () => undefined });
    const first = process();
    const handle = (command: EndpointCommand, commandId: string) =>
      first.handle(endpointsDecider, 'a', () => command, { commandId, correlationId: commandId, now: () => NOW });
    await handle(create('e1', false), 'create');
    for (let at = 0; at < PINGS; at += 1) await handle(ping(`p${at}`), `ping ${at}`);
    for (let turn = 0; turn < SAVED_TURNS; turn += 1) await immediately();
    const read = jest.spyOn(store, 'read');
    const { state } = await process().load(endpointsDecider, 'a');
    expect(state.byId.get('e1')?.pings).toBe(PINGS);
    const events = await Promise.all(read.mock.results.map(({ value }) => value as Promise<unknown[]>));
    expect(events.flat().length).toBeLessThan(SNAPSHOT_EVERY + 10);
  });
});
