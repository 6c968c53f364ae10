import { Admission } from './admission.service';

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
      const leave = admission.enter({ keyId: `key-${sent % 5}`, address: ADDRESS, learns: true });
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
      const leave = admission.enter({ keyId, address, learns: true });
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

  it('frees the slot of a caller that disconnected if the clock was set back', () => {
    enter(512);
    for (const one of taken) admission.leaveLater(one, DEADLINE_MS);
    clock.now -= 3_600_000;
    expect(enter(1)).toBe(1);
  });

  /** A slot of a request whose duration does not change the limit. */
  const take = (name: string) => admission.enter({ keyId: name, address: name, learns: false });
  /** Answers this many requests within one second. Each slow answer took six seconds by default. */
  const answer = ({ slow = 0, quick = 0, slowMs = 6_000 }): void => {
    const slowly = Array.from({ length: slow }, (_, at) =>
      admission.enter({ keyId: `slow-${at}`, address: `${at}`, learns: true }),
    );
    clock.now += slowMs;
    for (const one of slowly) one?.();
    for (let count = 0; count < quick; count += 1)
      admission.enter({ keyId: 'quick', address: ADDRESS, learns: true })?.();
  };
  /** The number of slots that one key gets if it is alone, which is half of the limit. */
  const half = (): number => {
    const slots: (() => void)[] = [];
    for (let slot = take('half'); slot; slot = take('half')) slots.push(slot);
    for (const one of slots) one();
    return slots.length;
  };

  it('keeps the limit after one slow answer', () => {
    for (let seconds = 0; seconds < 60; seconds += 1) answer({ slow: 1 });
    expect(half()).toBe(512);
  });

  it('keeps the limit while fewer than half of the answers are slow', () => {
    for (let seconds = 0; seconds < 60; seconds += 1) answer({ slow: 49, quick: 51 });
    expect(half()).toBe(512);
  });

  it('keeps the limit while most answers wait for a bank until its default timeout', () => {
    for (let seconds = 0; seconds < 60; seconds += 1) answer({ slow: 20, slowMs: 5_500 });
    expect(half()).toBe(512);
  });

  it('halves the limit once a second while most answers are slow, down to 64', () => {
    const limits: number[] = [];
    for (let seconds = 0; seconds < 7; seconds += 1) {
      answer({ slow: 20 });
      limits.push(half());
    }
    expect(limits).toEqual([512, 256, 128, 64, 32, 32, 32]);
  });

  it('halves the limit although the clock was set back', () => {
    answer({ slow: 20 });
    clock.now -= 3_600_000;
    for (let seconds = 0; seconds < 2; seconds += 1) answer({ slow: 20 });
    expect(half()).toBeLessThan(512);
  });

  it('raises a lowered limit while answers are quick', () => {
    for (let seconds = 0; seconds < 10; seconds += 1) answer({ slow: 20 });
    expect(half()).toBe(32);
    for (let seconds = 0; seconds < 10; seconds += 1) answer({ quick: 64 });
    expect(half()).toBeGreaterThan(160);
  });

  it('learns nothing from requests such as uploads, which wait for more than the services', () => {
    for (let seconds = 0; seconds < 10; seconds += 1) {
      const uploads = Array.from({ length: 20 }, (_, at) => take(`upload-${at}`));
      clock.now += 6_000;
      for (const one of uploads) one?.();
    }
    expect(half()).toBe(512);
  });

  it('serves bursts of a partner while an operation of another one is slow', () => {
    let refused = 0;
    for (let seconds = 0; seconds < 60; seconds += 1) {
      answer({ slow: 1 });
      refused += 60 - enter(60);
      leave(60, QUICK_MS);
    }
    expect(refused).toBe(0);
  });

  it('answers admitted requests in time under five times the load that the services can process', () => {
    overload(admission, clock, { perSecond: 10, offered: 50, seconds: 60 });
    const { inTime, late } = overload(admission, clock, { perSecond: 10, offered: 50, seconds: 60 });
    expect(late).toBe(0);
    expect(inTime).toBeGreaterThan(500);
  });
});
