import { Admission } from './admission';

const QUICK_MS = 20;
const DEADLINE_MS = 10_000;

/** Services that carry out so many requests a second, and partners who want more; each that is not let in comes again. */
function overload(admission: Admission, clock: { now: number }, { perSecond, offered, seconds }: { perSecond: number; offered: number; seconds: number }): { inTime: number; late: number } {
  const queue: number[] = [];
  let [inTime, late] = [0, 0];
  for (const end = clock.now + seconds * 1_000; clock.now < end; clock.now += 1_000 / perSecond) {
    for (let count = 0; count < offered / perSecond; count += 1) if (admission.enter()) queue.push(clock.now);
    const begun = queue.shift();
    if (begun === undefined) continue;
    const took = clock.now - begun;
    if (took > DEADLINE_MS) late += 1;
    else inTime += 1;
    admission.leave(Math.min(took, DEADLINE_MS));
  }
  return { inTime, late };
}

describe('how much the edge takes on', () => {
  const clock = { now: 0 };
  let admission: Admission;
  beforeEach(() => {
    clock.now = 0;
    admission = new Admission(() => clock.now);
  });
  const entered = (tries: number): number => Array.from({ length: tries }, () => admission.enter()).filter(Boolean).length;

  it('while answers are quick, a thousand at once and no more', () => {
    expect(entered(2_000)).toBe(1_024);
    admission.leave(QUICK_MS);
    expect(entered(2)).toBe(1);
  });

  it('slow answers halve it once a second, down to four; quick ones give the room back', () => {
    expect(entered(64)).toBe(64);
    for (let count = 0; count < 32; count += 1) admission.leave(6_000);
    expect(entered(10)).toBe(0);
    for (; clock.now < 20_000; clock.now += 2_000) admission.leave(6_000);
    for (let count = 0; count < 22; count += 1) admission.leave(3_000);
    expect(entered(10)).toBe(4);
    for (let count = 0; count < 40; count += 1) {
      admission.leave(QUICK_MS);
      admission.enter();
    }
    expect(entered(100)).toBeGreaterThan(15);
  });

  it('five times more than the services carry out: what is taken on is still answered in time', () => {
    overload(admission, clock, { perSecond: 10, offered: 50, seconds: 60 });
    const { inTime, late } = overload(admission, clock, { perSecond: 10, offered: 50, seconds: 60 });
    expect(late).toBe(0);
    expect(inTime).toBeGreaterThan(500);
  });
});
