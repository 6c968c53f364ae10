import type { LeftOut, ParkedEvent, ParkingLot, Recorded } from '@ponte/event-sourcing';
import { PARKED_LEFT_OUT, ReleaseRefused } from '@ponte/event-sourcing';
import { bulkReleaseDuty, releaseDuty } from './release-duties';

const row = (revision: number, more: Partial<ParkedEvent> = {}): ParkedEvent => ({
  ...{ group: 'g', key: 'order-1', reason: 'TypeError', parkedAt: '' },
  event: { id: `e${revision}`, type: 'W', revision } as Recorded,
  ...more,
});

/** Executes a release that changes these parked events. */
function released(rows: ParkedEvent[], release: (leftOut?: LeftOut) => void, gap?: string): Promise<string> {
  const parkingLot: ParkingLot = {
    list: async () => [...rows],
    consumes: () => true,
    async release(_group, _key, _may, leftOut) {
      release(leftOut);
      return true;
    },
  };
  const subject = { group: 'g', key: 'order-1', ...(gap === undefined ? {} : { gap }) };
  return Promise.resolve(
    releaseDuty({ parkingLot, systemClock: { now: () => 0 } }).carryOut(subject, new AbortController().signal),
  );
}

test('a release names the event that failed again, even if another one was parked before it meanwhile', async () => {
  const rows = [row(1), row(2), row(3)];
  const outcome = released(rows, () => {
    rows.splice(0, 2, row(0), row(2, { failedAgain: { reason: 'x', at: '', times: 1 } }));
    throw new RangeError('x');
  });
  await expect(outcome).rejects.toThrow(
    '1 of 3 handled; then 2 W e2 failed again (RangeError); it and the events behind it stay parked',
  );
});

test('a release that fails without trying an event says that it failed, not the event', async () => {
  const rows = [row(1), row(2, { failedAgain: { reason: 'x', at: '', times: 1 } })];
  const outcome = released(rows, () => {
    rows.shift();
    throw new Error('the database is down');
  });
  await expect(outcome).rejects.toThrow(
    '1 of 2 handled; then the release itself failed (Error); the rest stays parked, repeat the command',
  );
});

test('the outcome of a release names at most ten events', async () => {
  const rows = Array.from({ length: 11 }, (_, at) => row(at));
  const named = Array.from({ length: 10 }, (_, at) => `${at} W e${at}`);
  await expect(released(rows, () => void rows.splice(0))).resolves.toBe(`11 handled in order: ${named.join(', ')}, …`);
});

test('an event that an earlier release began to leave out does not count as handled', async () => {
  const rows = [row(1, { reason: PARKED_LEFT_OUT }), row(2)];
  await expect(released(rows, () => void rows.splice(0), '1')).resolves.toBe(
    '1 handled in order: 2 W e2; revisions 1 were discarded, "parked discarded" lists them',
  );
});

test('a release that stops with its process says so, and that it can be repeated', async () => {
  const stopping = new AbortController();
  const rows = [row(1), row(2)];
  const parkingLot: ParkingLot = {
    list: async () => [...rows],
    consumes: () => true,
    async release(_group, _key, _may, _leftOut, signal) {
      rows.shift();
      stopping.abort();
      if (signal?.aborted) throw new ReleaseRefused('the process is being stopped', 'repeat the command');
      return true;
    },
  };
  const parts = { parkingLot, systemClock: { now: () => 0 } };
  await expect(releaseDuty(parts).carryOut({ group: 'g', key: 'order-1' }, stopping.signal)).rejects.toThrow(
    '1 of 2 handled; the rest stays parked: the process is being stopped; repeat the command',
  );
  await expect(bulkReleaseDuty(parts).carryOut({ group: 'g', text: 'TypeError' }, stopping.signal)).rejects.toThrow(
    'released only in part, the rest stays parked: order-1 (the process is being stopped)',
  );
});
