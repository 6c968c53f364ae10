import * as fc from 'fast-check';
import { CANONICAL_JSON_MAX_DEPTH, canonicalJson } from './index';

const roundTrip = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('canonical JSON', () => {
  const nested = (depth: number): unknown => Array.from({ length: depth }).reduce<unknown>((inner) => [inner], 0);

  it('is the same for the same value, whatever the order of its fields', () => {
    expect(canonicalJson({ b: [1, 'x', null, true], a: { d: 1e21, c: -0 } })).toBe(
      '{"a":{"c":0,"d":1e+21},"b":[1,"x",null,true]}',
    );
    expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}');
    expect(canonicalJson(Object.assign(Object.create(null), { b: 1 }))).toBe('{"b":1}');
    // The example of RFC 8785, which sorts by UTF-16 code units.
    const keys = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6'];
    expect(Object.keys(JSON.parse(canonicalJson(Object.fromEntries(keys.map((key) => [key, key])))))).toEqual([
      '1',
      '\r',
      '\u0080',
      '\u00f6',
      '\u20ac',
      '\ud83d\ude00',
      '\ufb33',
    ]);
    expect(canonicalJson(JSON.parse('{"__proto__":{"x":1},"a":2}'))).toBe('{"__proto__":{"x":1},"a":2}');
  });

  it('preserves every value that JSON can represent', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = canonicalJson(value);
        const shuffled: unknown = JSON.parse(text, (_, member: unknown) =>
          typeof member === 'object' && member !== null && !Array.isArray(member)
            ? Object.fromEntries(Object.entries(member).reverse())
            : member,
        );
        expect(JSON.parse(text)).toEqual(roundTrip(value));
        return canonicalJson(shuffled) === text;
      }),
      { numRuns: 2_000 },
    );
  });

  it('refuses deep nesting and values that are not JSON', () => {
    expect(canonicalJson(nested(CANONICAL_JSON_MAX_DEPTH))).toHaveLength(2 * CANONICAL_JSON_MAX_DEPTH + 1);
    for (const depth of [CANONICAL_JSON_MAX_DEPTH + 1, 100_000])
      expect(() => canonicalJson(nested(depth))).toThrow(expect.objectContaining({ code: 'invalid-format' }));
    for (const value of [
      undefined,
      1n,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      new Date(0),
      new Map(),
      [undefined],
      () => 1,
      Symbol('s'),
    ]) {
      expect(() => canonicalJson(value)).toThrow(TypeError);
    }
  });
});
