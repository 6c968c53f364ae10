import { ReportLimit } from './report-limit';

function setUp() {
  let now = 0;
  const limit = new ReportLimit(() => now);
  const reported: [string, number][] = [];
  const note = (kind: string): void => limit.note(kind, (times) => void reported.push([kind, times]));
  const pass = (ms: number): void => void (now += ms);
  return { note, pass, reported };
}

test('a failure is reported at once and, while it goes on, every ten seconds, with how often it occurred', () => {
  const { note, pass, reported } = setUp();
  for (let at = 0; at < 25; at += 1) {
    note('SQLITE_FULL');
    pass(1_000);
  }
  expect(reported).toEqual([1, 10, 10].map((times) => ['SQLITE_FULL', times]));
});

test('another failure is reported at once', () => {
  const { note, pass, reported } = setUp();
  for (const kind of ['a', 'b', 'a', 'b']) note(kind);
  pass(10_000);
  for (const kind of ['b', 'a']) note(kind);
  expect(reported).toEqual([
    ['a', 1],
    ['b', 1],
    ['b', 2],
    ['a', 2],
  ]);
});

test('however many kinds of failures there are, each new one is reported', () => {
  const { note, reported } = setUp();
  for (let at = 0; at < 1_000; at += 1) note(`${at}`);
  expect(reported).toHaveLength(1_000);
});
