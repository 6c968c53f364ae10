import type { OutgoingAnswer } from '../outgoing-http/outgoing-http.port';
import { Attempts, MAX_BROUGHT_FORWARD } from './attempt.service';

const NOW = '2026-03-02T12:00:00.000Z';
const COUNT = 200;
const task = (at: number) => ({ deliveryId: `d${at}`, endpointId: 'e', accountId: 'a', after: null });

/** Pings of one endpoint that all failed once; each waits for the one before it. */
function failedPings(answer: OutgoingAnswer) {
  const sent: string[] = [];
  const parts = [
    {
      now: () => NOW,
      load: async (id: string) => {
        const at = Number(id.slice(1));
        const ids = { deliveryId: id, endpointId: 'e', accountId: 'a', correlationId: 'c', envelope: { eventId: id } };
        const times = { dueAt: NOW, attempts: 1, attemptsBefore: 0 };
        return { delivery: { ...ids, ...times, status: 'pending', after: at === 0 ? null : `d${at - 1}` } };
      },
      handle: async () => ({ state: { status: 'pending' } }),
    },
    { find: async () => ({ status: 'enabled' }) },
    {
      post: async (_: unknown, { deliveryId }: { deliveryId: string }) => {
        sent.push(deliveryId);
        return answer;
      },
    },
    { now: () => Date.parse(NOW) },
  ] as unknown as ConstructorParameters<typeof Attempts>;
  return { attempts: new Attempts(...parts), sent };
}

describe('an attempt at a delivery behind many that failed', () => {
  it('sends the nearest of them first, in their order, and no more than a few', async () => {
    const { attempts, sent } = failedPings({ kind: 'answered', status: 500, retryAfter: null });
    await attempts.run(task(COUNT), new AbortController().signal, () => undefined);
    const first = COUNT - MAX_BROUGHT_FORWARD;
    expect(sent).toEqual(Array.from({ length: MAX_BROUGHT_FORWARD + 1 }, (_, at) => `d${first + at}`));
  });
});
