import { PassedRevisions } from './passed-revisions';

test('repeated and missing revisions are detected in known streams, and nothing in unknown ones', () => {
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
