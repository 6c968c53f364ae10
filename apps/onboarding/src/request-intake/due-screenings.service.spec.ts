import type { Clock, Ids } from '@ponte/kernel';
import type { Logger } from 'pino';
import type { AccountRequest } from '../account-request/account-request.state';
import type { AccountRequests } from '../account-request/account-requests.service';
import type { DueRequest, ReviewQueue } from '../review/review-queue.read-model';
import type { LivenessSessions } from '../liveness/liveness-sessions.service';
import { DueScreenings } from './due-screenings.service';
import type { ScreeningQueue } from './screening-queue.service';

const NOW = Date.UTC(2026, 2, 1, 12);
const SINCE = '2026-03-01T11:00:00.000Z';

describe('The timer for screening', () => {
  it('asks about the room of the provider that a request names now, after it became due again', async () => {
    let due: DueRequest = { id: 'r', parentId: 'p', since: SINCE, dueAt: '2026-03-01T11:01:00.000Z' };
    let provider = 'provider-1';
    const [added, loaded, warned]: [string[], string[], unknown[]] = [[], [], []];
    const state = () =>
      ({
        ...{ status: 'pending', stage: 'screening', round: 1 },
        ...{ terms: { requestId: 'r' }, parts: { liveness: { provider } } },
      }) as unknown as AccountRequest;
    const requests = {
      load: async () => {
        loaded.push(provider);
        return state();
      },
    };
    const hasRoom = (name: string) => name !== 'provider-1';
    const screenings = {
      hasRoom,
      add: () => {
        if (!hasRoom(provider)) return undefined;
        added.push(provider);
        return Promise.resolve();
      },
    };
    const timer = new DueScreenings(
      requests as unknown as AccountRequests,
      {} as LivenessSessions,
      screenings as unknown as ScreeningQueue,
      { due: async () => [due] } as unknown as ReviewQueue,
      { now: () => NOW } as Clock,
      { next: () => 'c' } as unknown as Ids,
      { warn: (facts: unknown) => void warned.push(facts) } as unknown as Logger,
    );
    const pass = () => timer.run(new AbortController().signal);

    await pass();
    await pass();
    expect([loaded, added]).toEqual([['provider-1'], []]);

    provider = 'provider-2';
    due = { ...due, dueAt: '2026-03-01T11:31:00.000Z' };
    await pass();
    expect([added, warned]).toEqual([['provider-2'], []]);
  });
});
