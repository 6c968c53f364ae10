import { derivedId } from '@ponte/kernel';
import fc from 'fast-check';
import { CHUNK_IDS } from './id-chunk.domain';
import { REMEMBERED_MS, RecentIds } from './recent-ids.domain';

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

  it('differ in any part of the UUID, and in the prefix', () => {
    const one = '11111111-2222-2222-3333-333344444444';
    const others = [
      '01111111-2222-2222-3333-333344444444',
      '11111111-2222-2022-3333-333344444444',
      '11111111-2222-2222-3033-333344444444',
      '11111111-2222-2222-3333-333344444440',
      `deposit:${one}`,
      `line\nbreak:${one}`,
    ];
    const ids = RecentIds.none.with(one, NOW_MS).with(`order:${one}`, NOW_MS);
    expect(others.map((other) => ids.has(other))).toEqual(others.map(() => false));
    for (const other of others) expect(ids.with(other, NOW_MS).has(other)).toBe(true);
    expect(ids.with(`line\nbreak:${one}`, NOW_MS).encode().head.spans[0]?.others).toEqual([]);
  });

  it('are kept behind any number of prefixes, of which 255 are packed', () => {
    const all = Array.from({ length: 300 }, (_, at) => `prefix ${at}:${id(String(at))}`);
    const ids = all.reduce((before, one) => before.with(one, NOW_MS), RecentIds.none);
    expect(all.every((one) => ids.has(one))).toBe(true);
    expect(ids.has(`prefix 1:${id('2')}`)).toBe(false);
    const { prefixes, spans } = ids.encode().head;
    expect([prefixes.length, spans[0]?.others.length]).toEqual([255, 45]);
  });
});

describe('Forgotten ids', () => {
  /** Ids of less than six days are forgotten together. */
  const SPAN_MS = REMEMBERED_MS / 5;
  const [early, sameSpan, nextSpan, newest] = ['early', 'same', 'next', 'newest'].map(id) as [
    string,
    string,
    string,
    string,
  ];
  const ids = RecentIds.none
    .with(early, NOW_MS)
    .with(sameSpan, NOW_MS + SPAN_MS - 1)
    .with(nextSpan, NOW_MS + SPAN_MS);
  const has = (of: RecentIds) => [early, sameSpan, nextSpan, newest].map((one) => of.has(one));

  it('are those whose span began more than 36 days ago, so that each was remembered for 30 days', () => {
    const kept = ids.with(newest, NOW_MS + REMEMBERED_MS + SPAN_MS);
    expect([has(kept), kept.forgotBefore]).toEqual([[true, true, true, true], null]);
    const forgot = ids.with(newest, NOW_MS + REMEMBERED_MS + SPAN_MS + 1);
    expect([has(forgot), forgot.forgotBefore]).toEqual([[false, false, true, true], NOW_MS + SPAN_MS]);
    const later = NOW_MS + REMEMBERED_MS + SPAN_MS + 2;
    expect(forgot.with('another', later).forgotBefore).toBe(NOW_MS + SPAN_MS);
    expect(forgot.with('another', later + SPAN_MS).forgotBefore).toBe(later - 1);
  });

  it('are all of them after a long pause', () => {
    const now = NOW_MS + 2 * REMEMBERED_MS;
    const forgot = ids.with(newest, now);
    expect([has(forgot), forgot.forgotBefore]).toEqual([[false, false, false, true], now]);
  });

  it('are remembered again for as long as the newest one when they are found in the log', () => {
    const since = NOW_MS + REMEMBERED_MS + SPAN_MS + 1;
    const recalled = ids.with(newest, since).recalling([early, 'odd']);
    expect([has(recalled), recalled.has('odd'), recalled.forgotBefore]).toEqual([
      [true, false, true, true],
      true,
      null,
    ]);
    expect(recalled.with('another', since + REMEMBERED_MS + SPAN_MS).has(early)).toBe(true);
    expect(recalled.with('another', since + REMEMBERED_MS + SPAN_MS + 1).has(early)).toBe(false);
    expect(RecentIds.none.recalling([early]).has(early)).toBe(true);
  });

  it('stay forgotten in a snapshot', () => {
    const { head, parts } = ids.with(newest, NOW_MS + REMEMBERED_MS + SPAN_MS + 1).encode();
    const decoded = RecentIds.decode(head, parts);
    expect([has(decoded), decoded.forgotBefore]).toEqual([[false, false, true, true], NOW_MS + SPAN_MS]);
  });
});
