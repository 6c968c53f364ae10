import { atPath, parseJsonPath } from './json-path';

describe('a path into JSON', () => {
  it('follows own fields and indexes only', () => {
    const document = { data: { rates: [{ bid: '5.1' }] }, USDBRL: { bid: 5 } };
    expect(atPath(document, parseJsonPath('data.rates[0].bid'))).toBe('5.1');
    expect(atPath(document, parseJsonPath('USDBRL.bid'))).toBe(5);
    expect(atPath(5.2, parseJsonPath(''))).toBe(5.2);
    for (const path of [
      'data.rates[1].bid',
      'constructor.name',
      'data.rates.length.x',
      '__proto__',
      'data.rates[0].bid.x',
    ]) {
      expect(atPath(document, parseJsonPath(path))).toBeUndefined();
    }
  });
});
