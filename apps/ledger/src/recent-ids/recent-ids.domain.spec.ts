import { derivedId } from '@ponte/kernel';
import fc from 'fast-check';
import { CHUNK_IDS } from './id-chunk.domain';
import { RecentIds } from './recent-ids.domain';

const NOW = '2026-11-20T12:00:00.000Z';
const NOW_MS = Date.parse(NOW);
const id = (name: string): string => derivedId('snapshot', name);

describe('Remembered ids', () => {
  const name = fc.oneof(
    fc.nat({ max: 40 }).map((at) => `deposit:${id(String(at))}`),
    fc.nat({ max: 40 }).map((at) => id(String(at))),
    fc.nat({ max: 9 }).map((at) => `odd ${at}`),
    fc.nat({ max: 9 }).map((at) => `deposit:${id(String(at)).toUpperCase()}`),
  );

  it('are independent in every version, whichever is continued, even after a snapshot', () => {
    const step = fc.record({ of: fc.nat(), name, decode: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.array(name, { maxLength: 20 }), (steps, probes) => {
        const versions: { ids: RecentIds; model: Set<string> }[] = [{ ids: RecentIds.none, model: new Set() }];
        for (const { of, name: added, decode } of steps) {
          const from = versions[of % 3 === 0 ? of % versions.length : versions.length - 1];
          if (!from) throw new Error('no version');
          const { head, parts } = from.ids.encode();
          const ids = decode
            ? RecentIds.decode(
                head,
                parts.map((part) => part.slice()),
              )
            : from.ids;
          versions.push({ ids: ids.with(added, NOW_MS), model: new Set([...from.model, added]) });
        }
        for (const { ids, model } of versions) {
          for (const probe of [...model, ...probes]) expect(ids.has(probe)).toBe(model.has(probe));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('keep full chunks as the same objects from one snapshot to the next', () => {
    let ids = RecentIds.none;
    for (let at = 0; at <= 2 * CHUNK_IDS; at += 1) ids = ids.with(`deposit:${id(String(at))}`, NOW_MS);
    const before = ids.encode().parts;
    const after = ids.with(id('one more'), NOW_MS).encode().parts;
    expect(before.map(({ byteLength }) => byteLength)).toEqual([CHUNK_IDS * 17, CHUNK_IDS * 17, 17]);
    expect([after[0] === before[0], after[1] === before[1], after[2] === before[2]]).toEqual([true, true, false]);
  });

  it('copy one chunk, not all ids, when an older version is continued', () => {
    let ids = RecentIds.none;
    for (let at = 0; at < 4 * CHUNK_IDS; at += 1) ids = ids.with(id(String(at)), NOW_MS);
    const [first] = ids.encode().parts;
    const versions = [ids.with(id('a'), NOW_MS), ids.with(id('b'), NOW_MS)];
    expect(versions.map((one) => [one.has(id('a')), one.has(id('b')), one.encode().parts[0] === first])).toEqual([
      [true, false, true],
      [false, true, true],
    ]);
  });

  it('are not read from a snapshot whose bytes are cut off, missing or too many', () => {
    const { head, parts } = RecentIds.none.with(`deposit:${id('a')}`, NOW_MS).encode();
    const decoded = (part?: Uint8Array) => RecentIds.decode(head, part ? [part] : []);
    const [part] = parts;
    if (!part) throw new Error('nothing was encoded');
    expect(decoded(part).has(`deposit:${id('a')}`)).toBe(true);
    for (const bytes of [0, 16, 18, (CHUNK_IDS + 1) * 17])
      expect(() => decoded(new Uint8Array(bytes))).toThrow('not packed ids');
    expect(() => decoded(new Uint8Array(CHUNK_IDS * 17))).not.toThrow();
    expect(() => decoded()).toThrow('missing from the snapshot');
  });
});
