import fc from 'fast-check';
import { PersistentMap } from './maps';

describe('a persistent map', () => {
  it('keeps the entries of each version, whichever version is changed', () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd');
    const step = fc.record({ of: fc.nat(), key, value: fc.option(fc.integer(), { nil: undefined }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const versions: { map: PersistentMap<number>; model: Map<string, number> }[] = [
          { map: PersistentMap.empty(), model: new Map() },
        ];
        for (const { of, key: at, value } of steps) {
          const from = versions[of % 3 === 0 ? of % versions.length : versions.length - 1];
          if (!from) throw new Error('no version');
          const model = new Map(from.model);
          if (value === undefined) model.delete(at);
          else model.set(at, value);
          versions.push({ map: value === undefined ? from.map.without(at) : from.map.with(at, value), model });
        }
        for (const { map, model } of versions) {
          for (const name of 'abcd') expect(map.get(name)).toBe(model.get(name));
          expect(new Map(map.all())).toEqual(model);
          expect(map.size).toBe(model.size);
        }
      }),
      { numRuns: 500 },
    );
  });
});
