import fc from 'fast-check';
import { jaroWinkler, rememberedSimilarity } from './similarity.domain';

describe('The similarity of words', () => {
  it.each([
    ['martha', 'marhta', 0.9611],
    ['dwayne', 'duane', 0.84],
    ['dixon', 'dicksonx', 0.8133],
  ])('has the published Jaro-Winkler value for %s and %s', (a, b, value) => {
    expect(jaroWinkler(a, b)).toBeCloseTo(value, 3);
    expect(jaroWinkler(b, a)).toBeCloseTo(value, 3);
  });

  it('is symmetric, between 0 and 1, and 1 only for equal words', () => {
    const word = fc.stringMatching(/^[a-z]{1,12}$/);
    fc.assert(
      fc.property(word, word, (a, b) => {
        const similarity = rememberedSimilarity();
        expect(similarity(a, b)).toBeCloseTo(similarity(b, a), 10);
        expect(similarity(a, b)).toBeLessThanOrEqual(1);
        expect(similarity(a, b) === 1).toBe(a === b);
      }),
    );
  });
});
