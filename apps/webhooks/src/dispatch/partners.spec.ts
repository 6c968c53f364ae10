import type { Logger } from 'pino';
import { Partners, WorkInProgress } from './work-in-progress.service';

const settled = () => new Promise(setImmediate);

describe('the partner of an account', () => {
  const parents: Record<string, string | null> = { child: 'partner', partner: null };
  const request = jest.fn(async (_definition: unknown, { accountId }: { accountId: string }) => {
    if (accountId === 'failing') throw new Error('no answer');
    return accountId in parents ? { parentId: parents[accountId] ?? null } : null;
  });
  const partners = () => new Partners({ request } as never, { now: () => 0 });
  beforeEach(() => request.mockClear());

  it('is its parent, or itself if it has none', async () => {
    const known = partners();
    for (const accountId of ['child', 'partner', 'foreign']) expect(known.of(accountId)).toBe('unknown');
    await settled();
    expect(['child', 'partner', 'foreign'].map((accountId) => known.of(accountId))).toEqual([
      'partner',
      'partner',
      'foreign',
    ]);
  });

  it('is looked up once, and after a failure not at once again', async () => {
    const known = partners();
    for (let time = 0; time < 3; time += 1) {
      known.of('child');
      expect(known.of('failing')).toBe('unknown');
      await settled();
    }
    expect(request.mock.calls.map(([, { accountId }]) => accountId)).toEqual(['child', 'failing']);
  });
});

test('while deliveries cannot be recorded, one line tells how many attempts failed for the same reason', async () => {
  let now = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
  const logged: object[] = [];
  const logger = { error: (fields: object) => void logged.push(fields) } as unknown as Logger;
  const work = new WorkInProgress(logger, { of: (accountId) => accountId });
  const recordAll = (failures: number) =>
    Promise.all(
      Array.from({ length: 40 }, () => {
        let left = failures;
        return work.retryForever(async () => {
          if ((left -= 1) >= 0) throw new RangeError('database or disk is full');
          return 'recorded';
        });
      }),
    );
  expect(new Set(await recordAll(2))).toEqual(new Set(['recorded']));
  expect(logged).toEqual([{ error: 'RangeError' }]);
  now = 10_000;
  await recordAll(1);
  expect(logged.slice(1)).toEqual([{ error: 'RangeError', times: 80, secondsSinceReport: 10 }]);
  clock.mockRestore();
});
