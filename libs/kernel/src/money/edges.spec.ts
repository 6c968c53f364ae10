import type { Violation } from '../refusal';
import * as fc from 'fast-check';
import {
  CANONICAL_JSON_MAX_DEPTH,
  REWARD_TIERS,
  Refusal,
  Unavailable,
  addSeconds,
  canonicalJson,
  fromIso,
  isCalendarDate,
  isoTime,
  parseInstant,
  rateLockCapability,
  refusal,
  refuse,
  refuseAll,
  saoPauloDate,
  saoPauloWallClock,
  tierCapability,
} from '../index';

const roundTrip = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('time', () => {
  it('contract 1: "UTC, milliseconds, Z"', () => {
    expect(isoTime(1_700_000_000_000)).toBe('2023-11-14T22:13:20.000Z');
    expect(addSeconds('2023-11-14T22:13:20.000Z', 60)).toBe('2023-11-14T22:14:20.000Z');
    fc.assert(fc.property(fc.integer({ min: 0, max: 4e12 }), (ms) => fromIso(isoTime(ms)) === ms));
    for (const text of [
      '',
      '2023-11-14',
      '2023-02-30T00:00:00.000Z',
      '2023-11-14T22:13:20.000+00:00',
      '2023-11-14T25:00:00.000Z',
    ]) {
      expect(() => fromIso(text)).toThrow(RangeError);
    }
  });

  it('reads a time from outside with any offset, and none that does not exist', () => {
    expect(parseInstant('2023-11-14T19:13:20-03:00')).toBe(1_700_000_000_000);
    expect(parseInstant('2023-11-14T22:13:20.000999Z')).toBe(1_700_000_000_000);
    const refused = [
      '2023-02-29T00:00:00Z',
      '2023-11-14T22:13:20',
      '2023-11-14',
      '2023-11-14T22:13:20+24:00',
      '2023-11-14T22:60:00Z',
      'now',
      '1700000000',
      '',
    ];
    expect(refused.map(parseInstant)).toEqual(refused.map(() => undefined));
    expect(
      ['2024-02-29', '2023-02-29', '2023-04-31', '2023-00-01', '23-01-01', '2023-01-01 '].map(isCalendarDate),
    ).toEqual([true, false, false, false, false, false]);
  });

  it('shows the wall clock of São Paulo', () => {
    expect(saoPauloWallClock(Date.parse('2026-07-12T02:30:00Z'))).toEqual({
      weekday: 6,
      hour: 23,
      minute: 30,
      date: '2026-07-11',
    });
    expect(saoPauloWallClock(Date.parse('2026-07-13T12:05:59Z'))).toEqual({
      weekday: 1,
      hour: 9,
      minute: 5,
      date: '2026-07-13',
    });
    // Daylight saving time was still kept then: two hours behind UTC, not three.
    expect(saoPauloWallClock(Date.parse('2019-01-15T02:30:00Z'))).toMatchObject({ hour: 0, date: '2019-01-15' });
    expect(saoPauloDate(Date.parse('2026-07-15T02:59:59.999Z'))).toBe('2026-07-14');
    expect(() => saoPauloDate(Number.NaN)).toThrow(RangeError);
  });

  it('agrees with the time zone data at any time since the Pix exists', () => {
    const format = new Intl.DateTimeFormat('sv-SE', {
      timeZone: 'America/Sao_Paulo',
      dateStyle: 'short',
      timeStyle: 'short',
    });
    fc.assert(
      fc.property(
        fc.integer({ min: Date.parse('2015-01-01T00:00:00Z'), max: Date.parse('2040-01-01T00:00:00Z') }),
        (ms) => {
          const { date, hour, minute } = saoPauloWallClock(ms);
          return `${date} ${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}` === format.format(ms);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('a refusal', () => {
  const violations: Violation[] = [
    { code: 'state-required', path: 'address.state', message: 'a Brazilian address names its state' },
    { code: 'quote-already-accepted', path: 'quote-id', message: 'the quote was accepted', 'order-id': 'o1' },
  ];

  it('contract 3: carries "all failures at once, in rule order; code and message are the first one\'s"', () => {
    const refused = new Refusal(violations);
    expect([refused.code, refused.message, refused.violations]).toEqual([
      'state-required',
      violations[0]?.message,
      violations,
    ]);
    expect(() => refuseAll(violations)).toThrow(Refusal);
    expect(refuseAll([])).toBeUndefined();
    expect(() => new Refusal([])).toThrow(TypeError);
    expect(() => refuse('quote-expired', 'the quote has expired', 'quote-id')).toThrow('the quote has expired');
  });

  it('keeps its code, path and message whatever else it is given', () => {
    expect(
      refusal('file-corrupted', 'm', 'p', { code: 'x', path: 'y', message: 'z', 'order-id': 'o1' }).violations,
    ).toEqual([{ code: 'file-corrupted', path: 'p', message: 'm', 'order-id': 'o1' }]);
  });

  it('crosses a message bus, as an unavailability does', () => {
    const refused = Refusal.fromJSON(roundTrip(new Refusal(violations)));
    expect(refused).toBeInstanceOf(Refusal);
    expect([refused.code, refused.violations]).toEqual(['state-required', violations]);
    const away = Unavailable.fromJSON(roundTrip(new Unavailable('rail-unavailable', 'the rail is silent', 5)));
    expect(away).toBeInstanceOf(Unavailable);
    expect([away.code, away.message, away.retryAfterSeconds]).toEqual(['rail-unavailable', 'the rail is silent', 5]);
    expect(new Unavailable('service-unavailable').retryAfterSeconds).toBe(1);
  });

  it('is made of nothing else', () => {
    const noFault = { kind: 'refusal', violations: [{ code: 'a' }] };
    const values = [
      null,
      'x',
      {},
      [],
      { kind: 'refusal' },
      { kind: 'refusal', faults: [] },
      noFault,
      { kind: 'unavailable', code: 'x', message: 'm', retryAfterSeconds: 1 },
    ];
    for (const value of values) {
      expect(() => Refusal.fromJSON(value)).toThrow(TypeError);
      expect(() => Unavailable.fromJSON(value)).toThrow(TypeError);
    }
  });
});

describe('capabilities', () => {
  it('domain 5: "90 → subaccounts-90-tier, 93.5 → subaccounts-93.5-tier, 97 → subaccounts-97-tier"', () => {
    expect(REWARD_TIERS.map(tierCapability)).toEqual([
      'subaccounts-93.5-tier',
      'subaccounts-90-tier',
      'subaccounts-97-tier',
    ]);
    expect(rateLockCapability('24h')).toBe('rate-lock-24h');
  });
});

describe('canonical JSON', () => {
  const nested = (depth: number): unknown => Array.from({ length: depth }).reduce<unknown>((inner) => [inner], 0);

  it('writes the same value in one way, whatever the order of its members', () => {
    expect(canonicalJson({ b: [1, 'x', null, true], a: { d: 1e21, c: -0 } })).toBe(
      '{"a":{"c":0,"d":1e+21},"b":[1,"x",null,true]}',
    );
    expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}');
    // RFC 8785 sorts by UTF-16 code units: its own example.
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

  it('loses nothing that JSON can say', () => {
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

  it('is bounded in depth and says no to what is not JSON', () => {
    expect(canonicalJson(nested(CANONICAL_JSON_MAX_DEPTH))).toHaveLength(2 * CANONICAL_JSON_MAX_DEPTH + 1);
    for (const depth of [CANONICAL_JSON_MAX_DEPTH + 1, 100_000])
      expect(() => canonicalJson(nested(depth))).toThrow(Refusal);
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
