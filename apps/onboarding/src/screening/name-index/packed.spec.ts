import fc from 'fast-check';
import { drained } from '@ponte/kernel';
import { PackedGroups, PackedPairs } from './packed-groups.domain';
import { PackedInts } from './packed-ints.domain';
import { PackedTexts } from './packed-texts.domain';
import { PackedWords } from './packed-words.domain';

const numberOfBits32 = fc.integer({ min: 0, max: 2 ** 32 - 1 });

describe('Packed data', () => {
  it('gives back the numbers at their places', () => {
    const packed = new PackedInts();
    const numbers = Array.from({ length: 10_000 }, (_, i) => (i * 2_654_435_761) % 2 ** 32);
    expect(numbers.map((number) => packed.push(number))).toEqual(numbers.map((_, i) => i));
    expect(packed.length).toBe(10_000);
    expect(numbers.map((_, i) => packed.at(i))).toEqual(numbers);
  });

  it('gives back the texts, whatever their letters and lengths', () => {
    const long = ['é'.repeat(70_000), 'x'.repeat(65_536), '', 'ب'.repeat(40_000)];
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom(...long))), (texts) => {
        const packed = new PackedTexts();
        for (const text of texts) packed.push(text);
        expect(texts.map((_, i) => packed.at(i))).toEqual(texts);
        expect(packed.length).toBe(texts.length);
      }),
      { numRuns: 50 },
    );
  });

  it('numbers each word once, in the order in which the words come first', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 2 }), { maxLength: 300 }), (words) => {
        const packed = new PackedWords();
        const distinct = [...new Set(words)];
        expect(words.map((word) => packed.add(word).number)).toEqual(words.map((word) => distinct.indexOf(word)));
        expect(distinct.map((_, number) => packed.texts.at(number))).toEqual(distinct);
        expect(distinct.some((word) => packed.add(word).isNew)).toBe(false);
      }),
    );
  });

  it('groups the values by the lowest bits of their keys, in the order in which they came', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(numberOfBits32, numberOfBits32)),
        fc.integer({ min: 0, max: 40 }),
        (entries, groups) => {
          const pairs = new PackedPairs();
          for (const [key, value] of entries) pairs.add(key, value);
          const grouped = drained(PackedGroups.of(pairs, groups));
          const size = [1, 2, 4, 8, 16, 32, 64].find((power) => power >= groups) as number;
          for (const [key] of entries)
            expect([...grouped.with(key)]).toEqual(
              entries.filter(([other]) => other % size === key % size).map(([, value]) => value),
            );
        },
      ),
    );
  });
});
