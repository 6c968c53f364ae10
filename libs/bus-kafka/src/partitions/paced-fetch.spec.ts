import { broughtBy } from './paced-fetch';

test('of a fetch, what brought messages is handed over, also when all of them are left out later; of one that brought nothing, a single sign of life', () => {
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
