import { Admission } from './admission';

const QUICK_MS = 20;
const DEADLINE_MS = 10_000;
const ADDRESS = '192.0.2.1';

/**
 * Simulates services that process `perSecond` requests and partners that send more; refused requests are repeated.
 */
function overload(
  admission: Admission,
  clock: { now: number },
  { perSecond, offered, seconds }: { perSecond: number; offered: number; seconds: number },
): { inTime: number; late: number } {
  const queue: { since: number; leave: () => void }[] = [];
  let [inTime, late, sent] = [0, 0, 0];
  for (const end = clock.now + seconds * 1_000; clock.now < end; clock.now += 1_000 / perSecond) {
    for (let count = 0; count < offered / perSecond; count += 1) {
      sent += 1;
      const leave = admission.enter({ keyId: `key-${sent % 5}`, address: ADDRESS });
      if (leave) queue.push({ since: clock.now, leave });
    }
    const begun = queue.shift();
    if (begun === undefined) continue;
    if (clock.now - begun.since > DEADLINE_MS) late += 1;
    else inTime += 1;
    begun.leave();
  }
  return { inTime, late };
}

describe('admission of requests', () => {
  const clock = { now: 0 };
  let admission: Admission;
  let taken: (() => void)[];
  beforeEach(() => {
    [clock.now, taken] = [0, []];
    admission = new Admission({ now: () => clock.now });
  });
  /** The number of requests, out of `tries`, that get a slot. */
  const enter = (tries: number, keyId = 'one', address = ADDRESS): number => {
    const before = taken.length;
    for (let count = 0; count < tries; count += 1) {
      const leave = admission.enter({ keyId, address });
      if (leave) taken.push(leave);
    }
    return taken.length - before;
  };
  const leave = (count: number, afterMs: number): void => {
    clock.now += afterMs;
    for (const one of taken.splice(0, count)) one();
  };

  it('gives one key half of a thousand slots, the next one half of the rest, and still admits others', () => {
    expect(enter(2_000, 'one')).toBe(512);
    expect(enter(2_000, 'two')).toBe(256);
    for (let keys = 0; keys < 5; keys += 1) enter(2_000, `more-${keys}`, `192.0.2.${keys}`);
    expect(enter(1, 'last', '192.0.2.200')).toBe(1);
    expect(taken.length).toBeLessThanOrEqual(1_024);
  });

  it('divides the slots equally among keys that hold them for a long time', () => {
    for (let round = 0; round < 600; round += 1) for (const key of ['a', 'b', 'c']) enter(1, key, key);
    expect([enter(1, 'a', 'a'), enter(1, 'b', 'b'), enter(1, 'c', 'c')]).toEqual([0, 0, 0]);
    expect(taken).toHaveLength(768);
  });

  it('gives an address three quarters of the slots, however many keys it has, and still admits another address', () => {
    let sum = 0;
    for (let keys = 0; keys < 2_000; keys += 1) sum += enter(1, `key-${keys}`);
    expect(sum).toBe(768);
    expect(admission.hasRoom(ADDRESS)).toBe(false);
    expect(admission.hasRoom('2001:db8::1')).toBe(true);
    expect(enter(1, 'other', '2001:db8::1')).toBe(1);
  });

  it('frees a slot once, however often it is given back', () => {
    enter(512);
    const first = taken[0];
    first?.();
    first?.();
    expect(enter(10)).toBe(1);
  });

  it('keeps the slot of a caller that disconnected until the deadline at most', () => {
    enter(512);
    for (const one of taken) admission.leaveLater(one, DEADLINE_MS);
    clock.now += DEADLINE_MS - 1;
    expect(enter(1)).toBe(0);
    clock.now += 1;
    expect(enter(1)).toBe(1);
  });

  it('halves the limit once a second while services are slow, down to eight, and raises it again afterwards', () => {
    expect(enter(64)).toBe(64);
    leave(32, 6_000);
    expect(enter(100)).toBeLessThanOrEqual(32);
    while (clock.now < 60_000) leave(2, 6_000);
    leave(taken.length, 6_000);
    expect(enter(100)).toBe(4);
    for (let count = 0; count < 40; count += 1) {
      leave(1, QUICK_MS);
      enter(1);
    }
    expect(enter(100) + taken.length).toBeGreaterThan(12);
  });

  it('answers admitted requests in time under five times the load that the services can process', () => {
    overload(admission, clock, { perSecond: 10, offered: 50, seconds: 60 });
    const { inTime, late } = overload(admission, clock, { perSecond: 10, offered: 50, seconds: 60 });
    expect(late).toBe(0);
    expect(inTime).toBeGreaterThan(500);
  });
});
