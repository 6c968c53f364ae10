import { CheckTokenMovement, CreateWithdrawal, GetAccount, ListAccountHolds, PlaceOrder } from '.';
import { NESTED_REQUESTS, levelOfRequest, levelsOf, isDeclaredNested } from './nested-requests';

describe('nested requests', () => {
  it('have a lower level than the request whose handler makes them', () => {
    for (const [request, nested] of NESTED_REQUESTS)
      for (const one of nested) expect(levelOfRequest(one.pattern)).toBeLessThan(levelOfRequest(request.pattern));
    const requests = [ListAccountHolds, CheckTokenMovement, CreateWithdrawal, PlaceOrder];
    expect(requests.map(({ pattern }) => levelOfRequest(pattern))).toEqual([0, 1, 2, 2]);
  });

  it('are declared in one entry per request', () => {
    const patterns = NESTED_REQUESTS.map(([{ pattern }]) => pattern);
    expect(patterns).toEqual([...new Set(patterns)]);
    expect(isDeclaredNested(CreateWithdrawal.pattern, CheckTokenMovement.pattern)).toBe(true);
    expect(isDeclaredNested(CheckTokenMovement.pattern, CreateWithdrawal.pattern)).toBe(false);
    expect(isDeclaredNested(GetAccount.pattern, GetAccount.pattern)).toBe(false);
  });

  it('must not form a cycle', () => {
    const nested = new Map([
      ['a', new Set(['b'])],
      ['b', new Set(['c'])],
      ['c', new Set(['a'])],
    ]);
    expect(() => levelsOf(nested)).toThrow('nested requests form a cycle: a, b, c, a');
  });
});
