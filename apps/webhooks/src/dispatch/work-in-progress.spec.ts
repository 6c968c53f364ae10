import type { Logger } from 'pino';
import { WorkInProgress } from './work-in-progress';

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
  expect(logged).toEqual([{ error: 'RangeError', times: 1 }]);
  now = 10_000;
  await recordAll(1);
  expect(logged.slice(1)).toEqual([{ error: 'RangeError', times: 80 }]);
  clock.mockRestore();
});
