import type { Violation } from './refusal';
import { ERRORS, Refusal, UNAVAILABLE_CODES, Unavailable, refusal, refuse, refuseAll } from './index';

const roundTrip = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('a refusal', () => {
  const violations: Violation[] = [
    { code: 'state-required', path: 'address.state', message: 'a Brazilian address names its state' },
    { code: 'quote-already-accepted', path: 'quote-id', message: 'the quote was accepted', 'order-id': 'o1' },
  ];

  it('carries all failures at once, in rule order, with the code and message of the first one', () => {
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

  it('keeps its code, path and message despite extra fields', () => {
    expect(
      refusal('file-corrupted', 'm', 'p', { code: 'x', path: 'y', message: 'z', 'order-id': 'o1' }).violations,
    ).toEqual([{ code: 'file-corrupted', path: 'p', message: 'm', 'order-id': 'o1' }]);
  });

  it.each(UNAVAILABLE_CODES)('says what is unavailable, as the catalogue does: %s', (code) => {
    expect(new Unavailable(code).message).toBe(ERRORS[code].message);
  });

  it('can be sent over a message bus, like Unavailable', () => {
    const refused = Refusal.fromJSON(roundTrip(new Refusal(violations)));
    expect(refused).toBeInstanceOf(Refusal);
    expect([refused.code, refused.violations]).toEqual(['state-required', violations]);
    const away = Unavailable.fromJSON(roundTrip(new Unavailable('rail-unavailable', 'the rail is silent', 5)));
    expect(away).toBeInstanceOf(Unavailable);
    expect([away.code, away.message, away.retryAfterSeconds]).toEqual(['rail-unavailable', 'the rail is silent', 5]);
    expect(new Unavailable('service-unavailable').retryAfterSeconds).toBe(1);
  });

  it('cannot be made from other JSON', () => {
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
