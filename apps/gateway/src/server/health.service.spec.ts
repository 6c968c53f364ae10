import type { MessageBus } from '@ponte/event-sourcing';
import { EventStoreUnavailable } from '@ponte/event-sourcing';
import { Health } from './health.service';

const bus = { request: async () => null } as unknown as MessageBus;
const health = (probe: () => Promise<unknown>): Health =>
  new Health(bus, { next: () => 'an-id' }, { now: () => 0 }, { 'the event log': probe });

describe('/readyz', () => {
  it('is ready if keys can be looked up and the log accepts events', async () => {
    expect(await health(async () => undefined).notReadyReason()).toBeUndefined();
  });

  it('is not ready if the log accepts no events, and returns the reason', async () => {
    const full = health(() =>
      Promise.reject(new EventStoreUnavailable('the event log cannot be written: the disk is full')),
    );
    expect(await full.notReadyReason()).toBe('the event log cannot be written: the disk is full');
  });

  it('does not reveal other failures', async () => {
    expect(await health(() => Promise.reject(new Error('/var/ponte is gone'))).notReadyReason()).toBe(
      'this process cannot accept requests',
    );
  });
});
