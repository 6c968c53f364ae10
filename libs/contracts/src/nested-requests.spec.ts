import { CheckTokenMovement, CreateWithdrawal, GetAccount, ListAccountHolds, PlaceOrder } from '.';
import { NESTED_REQUESTS, levelOfRequest, levelsOf, mayAsk } from './nested-requests';

describe('nested requests', () => {
  it('are of a lower level than the request whose handler makes them', () => {
    for (const [by, asked] of NESTED_REQUESTS)
      for (const one of asked) expect(levelOfRequest(one.pattern)).toBeLessThan(levelOfRequest(by.pattern));
    const requests = [ListAccountHolds, CheckTokenMovement, CreateWithdrawal, PlaceOrder];
    expect(requests.map(({ pattern }) => levelOfRequest(pattern))).toEqual([0, 1, 2, 2]);
  });

  it('are listed once for each request', () => {
    const patterns = NESTED_REQUESTS.map(([{ pattern }]) => pattern);
    expect(patterns).toEqual([...new Set(patterns)]);
    expect(mayAsk(CreateWithdrawal.pattern, CheckTokenMovement.pattern)).toBe(true);
    expect(mayAsk(CheckTokenMovement.pattern, CreateWithdrawal.pattern)).toBe(false);
    expect(mayAsk(GetAccount.pattern, GetAccount.pattern)).toBe(false);
  });

  it('cannot be listed in a cycle', () => {
    const asked = new Map([
      ['a', new Set(['b'])],
      ['b', new Set(['c'])],
      ['c', new Set(['a'])],
    ]);
    expect(() => levelsOf(asked)).toThrow('requests ask each other in a cycle: a, b, c, a');
  });
});
