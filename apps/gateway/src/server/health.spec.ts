import type { MessageBus } from '@ponte/event-sourcing';
import { EventStoreUnavailable } from '@ponte/event-sourcing';
import { Health } from './health';

const bus = { request: async () => null } as unknown as MessageBus;
const health = (probe: () => Promise<unknown>): Health =>
  new Health(bus, { next: () => 'an-id' }, { now: () => 0 }, { 'the event log': probe });

describe('/readyz', () => {
  it('is ready when keys are found and the log takes events', async () => {
    expect(await health(async () => undefined).obstacle()).toBeUndefined();
  });

  it('is not ready when the log takes none, and says why', async () => {
    const full = health(() =>
      Promise.reject(new EventStoreUnavailable('the event log cannot be written: the disk is full')),
    );
    expect(await full.obstacle()).toBe('the event log cannot be written: the disk is full');
  });

  it('says nothing of other failures', async () => {
    expect(await health(() => Promise.reject(new Error('/var/ponte is gone'))).obstacle()).toBe(
      'this process cannot accept requests',
    );
  });
});
