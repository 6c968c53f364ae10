import { DueScan } from './due-scan';

/** A scan whose start asks for another round, as an endpoint does that has room again. */
function setUp() {
  let [running, started] = [0, 0];
  const rounds: number[] = [];
  const asked: Promise<void>[] = [];
  const scan: DueScan = new DueScan({
    due: {
      due: async () => {
        running += 1;
        rounds.push(running);
        await Promise.resolve();
        running -= 1;
        return { tasks: [], next: null };
      },
    },
    now: () => '2026-01-01T00:00:00.000Z',
    begins: () => {
      started += 1;
      if (started < 4) asked.push(scan.round());
    },
    mayContinue: () => true,
    toRead: () => 1,
    isPostponed: () => false,
    found: () => undefined,
  });
  return { scan, rounds, asked };
}

describe('the scan for due deliveries', () => {
  it('runs one round at a time, even if its start asks for another one', async () => {
    const { scan, rounds, asked } = setUp();
    await scan.round();
    await Promise.all(asked);
    expect([rounds, asked.length]).toEqual([[1], 1]);
    await scan.round();
    expect(rounds).toEqual([1, 1]);
  });
});
