import { Pool } from './pool';

test('a pool limits parallel work, keeps its order, and reports when all of it has ended', async () => {
  const pool = new Pool(2);
  const ends: (() => void)[] = [];
  const begun: number[] = [];
  for (let at = 0; at < 5; at += 1) {
    pool.add(async () => {
      begun.push(at);
      await new Promise<void>((resolve) => {
        ends.push(resolve);
      });
    });
  }
  expect([begun, pool.depth]).toEqual([[0, 1], 5]);
  const settled = pool.settled();
  for (let at = 0; at < 5; at += 1) {
    ends.shift()?.();
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  await settled;
  expect([begun, pool.depth]).toEqual([[0, 1, 2, 3, 4], 0]);
});
