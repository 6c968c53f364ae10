import { broughtBy } from './paced-fetch';

test('only the partitions of a fetch that have messages are processed, even if these are skipped later; without any, a single one', () => {
  const batch = (partition: number, raw: number, messages = raw) => ({
    partition,
    rawMessages: Array(raw).fill({}),
    messages: Array(messages).fill({}),
  });
  const [empty, full, removed] = [batch(0, 0), batch(1, 3), batch(2, 2, 0)];
  expect(broughtBy([empty, full, batch(3, 0), removed])).toEqual([full, removed]);
  expect(broughtBy([empty, batch(3, 0)])).toEqual([empty]);
  expect(broughtBy([])).toEqual([]);
});
