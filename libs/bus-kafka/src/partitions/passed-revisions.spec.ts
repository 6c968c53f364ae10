import { PassedRevisions } from './passed-revisions';

test('a stream that was not met tells nothing; of others, what was passed and what was left out', () => {
  const passed = new PassedRevisions();
  expect([passed.has('s', 3), passed.skips('s', 3)]).toEqual([false, false]);
  passed.pass('s', 3);
  passed.pass('s', 2);
  expect([
    passed.has('s', 2),
    passed.has('s', 3),
    passed.has('s', 4),
    passed.skips('s', 4),
    passed.skips('s', 5),
  ]).toEqual([true, true, false, false, true]);
});
