import * as fc from 'fast-check';
import {
  addSeconds,
  fromIso,
  isCalendarDate,
  isoTime,
  parseInstant,
  repeatsFirstResponse,
  saoPauloDate,
  saoPauloWallClock,
  secondsSince,
} from './index';

describe('time', () => {
  it('lets a repeated creation get the first answer for a day', () => {
    const createdAt = '2026-01-01T00:00:00.000Z';
    const nextDay = fromIso('2026-01-02T00:00:00.000Z');
    expect([nextDay - 1, nextDay].map((now) => repeatsFirstResponse(createdAt, now))).toEqual([true, false]);
  });

  it('passes in seconds, none without a start and none before it', () => {
    const now = fromIso('2026-01-01T00:00:01.500Z');
    const since = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:02.000Z', null, undefined];
    expect(since.map((one) => secondsSince(one, now))).toEqual([1.5, 0, 0, 0]);
  });

  it('is written in UTC, with milliseconds and Z', () => {
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

  it('is parsed with any offset, but refused if it does not exist', () => {
    expect(parseInstant('2023-11-14T19:13:20-03:00')).toBe(1_700_000_000_000);
    expect(parseInstant('2023-11-14T22:13:20.000999Z')).toBe(1_700_000_000_000);
    expect(parseInstant('2023-11-14t22:13:20z')).toBe(1_700_000_000_000);
    const refused = [
      '2023-02-29T00:00:00Z',
      '2023-11-14T22:13:20',
      '2023-11-14',
      '2023-11-14T22:13:20+24:00',
      '2023-11-14T22:60:00Z',
      '2023-11-14T24:00:00Z',
      'now',
      '1700000000',
      '',
    ];
    expect(refused.map(parseInstant)).toEqual(refused.map(() => undefined));
    expect(
      ['2024-02-29', '2023-02-29', '2023-04-31', '2023-00-01', '23-01-01', '2023-01-01 '].map(isCalendarDate),
    ).toEqual([true, false, false, false, false, false]);
  });

  it('has four digits for the year in UTC with any offset, so that texts of times compare correctly', () => {
    expect(
      ['9999-12-31T23:59:59-03:00', '0000-01-01T00:00:00+14:00'].map((text) => isoTime(parseInstant(text) ?? 0)),
    ).toEqual(['9999-12-31T23:59:59.999Z', '0000-01-01T00:00:00.000Z']);
  });

  it('is converted to local time in São Paulo', () => {
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
    // Daylight saving time still existed then: two hours behind UTC, not three.
    expect(saoPauloWallClock(Date.parse('2019-01-15T02:30:00Z'))).toMatchObject({ hour: 0, date: '2019-01-15' });
    expect(saoPauloDate(Date.parse('2026-07-15T02:59:59.999Z'))).toBe('2026-07-14');
    expect(() => saoPauloDate(Number.NaN)).toThrow(RangeError);
  });

  it('agrees with the time zone data at any time since Pix exists', () => {
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
