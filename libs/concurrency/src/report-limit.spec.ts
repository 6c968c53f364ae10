import { ReportLimit } from './report-limit';

function setUp() {
  let now = 0;
  const limit = new ReportLimit(() => now);
  const reported: unknown[] = [];
  const note = (kind: string): void => limit.note(kind, (repeats) => void reported.push([kind, repeats]));
  const pass = (ms: number): void => void (now += ms);
  return { note, pass, reported };
}

test('a failure is reported at once and, while it goes on, every ten seconds, with how often it occurred', () => {
  const { note, pass, reported } = setUp();
  for (let at = 0; at < 25; at += 1) {
    note('SQLITE_FULL');
    pass(1_000);
  }
  const again = { times: 10, secondsSinceReport: 10 };
  expect(reported).toEqual([{}, again, again].map((repeats) => ['SQLITE_FULL', repeats]));
});

test('another failure is reported at once', () => {
  const { note, pass, reported } = setUp();
  for (const kind of ['a', 'b', 'a', 'b']) note(kind);
  pass(10_000);
  for (const kind of ['b', 'a']) note(kind);
  expect(reported).toEqual([
    ['a', {}],
    ['b', {}],
    ['b', { times: 2, secondsSinceReport: 10 }],
    ['a', { times: 2, secondsSinceReport: 10 }],
  ]);
});

test('a report names the time since the previous one, in which the others of a burst may be long past', () => {
  const { note, pass, reported } = setUp();
  for (let count = 0; count < 500; count += 1) note('SQLITE_FULL');
  pass(86_400_000);
  note('SQLITE_FULL');
  expect(reported.at(-1)).toEqual(['SQLITE_FULL', { times: 500, secondsSinceReport: 86_400 }]);
});

test('however many kinds of failures there are, each new one is reported', () => {
  const { note, reported } = setUp();
  for (let at = 0; at < 1_000; at += 1) note(`${at}`);
  expect(reported).toHaveLength(1_000);
});
