import { Gaps } from './gaps';

const STREAM = 'order-1';
/** The revisions up to 9 that come after a gap. */
const after = (gaps: Gaps) =>
  Array.from({ length: 10 }, (_, at) => at).filter((at) => gaps.missingFrom(STREAM, at) !== undefined);

it('a gap whose first event does not come again stays until an event after it is parked', () => {
  const gaps = new Gaps();
  gaps.add(STREAM, { from: 6, before: 8 });
  for (const revision of [5, 7, 8]) gaps.finished(STREAM, revision);
  expect(after(gaps)).toEqual([7, 8, 9]);
  gaps.marked(STREAM, 9);
  expect([after(gaps), gaps.has(STREAM)]).toEqual([[], false]);
});

it('of two findings, the one with more missing events is kept', () => {
  const gaps = new Gaps();
  for (const from of [6, 5, 7]) gaps.add(STREAM, { from, before: 8 });
  for (const revision of [6, 7]) gaps.finished(STREAM, revision);
  expect(after(gaps)).toEqual([6, 7, 8, 9]);
  for (const revision of [5, 6, 7]) gaps.finished(STREAM, revision);
  expect(gaps.has(STREAM)).toBe(false);
});

it('a parked event marks the gaps before it and none after it', () => {
  const gaps = new Gaps();
  gaps.add(STREAM, { from: 7, before: 8 });
  gaps.add(STREAM, { from: 3, before: 4 });
  gaps.marked(STREAM, 4);
  expect(after(gaps)).toEqual([8, 9]);
});

it('a missing event comes after those that are still missing before it', () => {
  const gaps = new Gaps();
  gaps.add(STREAM, { from: 5, before: 8 });
  expect(after(gaps)).toEqual([6, 7, 8, 9]);
  gaps.finished(STREAM, 5);
  expect(after(gaps)).toEqual([7, 8, 9]);
  gaps.marked(STREAM, 7);
  expect(after(gaps)).toEqual([7, 8, 9]);
});
