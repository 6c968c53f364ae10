import { LowWatermark } from './reader-state';

test('the watermark advances past finished positions, in whatever order they finish', () => {
  const mark = new LowWatermark('0');
  const ends = Array.from({ length: 5_000 }, (_, at) => mark.begin(String(at + 1)));
  for (let at = ends.length - 1; at > 0; at -= 1) ends[at]?.();
  expect([mark.finished, mark.unfinished, mark.behind]).toEqual(['0', 1, 5_000]);
  ends[0]?.();
  expect([mark.finished, mark.unfinished, mark.behind]).toEqual(['5000', 0, 0]);
});
