import { editDistance } from './edit-distance';

describe('The edit distance', () => {
  it.each([
    ['kitten', 'sitting', 3],
    ['ca', 'ac', 1],
    ['', 'abc', 3],
    ['same', 'same', 0],
  ])('of %s and %s is %i', (a, b, edits) => {
    expect(editDistance(a, b)).toBe(edits);
  });
});
