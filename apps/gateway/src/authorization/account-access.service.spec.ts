import type { Services } from '../edge/request-context.service';
import { AccountAccess } from './account-access.service';

describe("access to the caller's account and to accounts whose parent-id is the caller", () => {
  const [own, child, foreign] = ['a', 'b', 'c'].map((letter) => `0190f8a0-0000-7000-8000-00000000000${letter}`) as [
    string,
    string,
    string,
  ];
  const parents: Record<string, string | null> = { [own]: null, [child]: own, [foreign]: null };
  const lookedUp: string[] = [];
  const lookUp = (async (_definition, { accountId }: { accountId: string }) => {
    lookedUp.push(accountId);
    return accountId in parents ? { parentId: parents[accountId] ?? null } : null;
  }) as Services['lookUp'];
  const access = new AccountAccess({ lookUp }, { now: () => 0 });
  const outcome = async (account: string) => {
    try {
      await access.checkReach(own, account);
      return 'ok';
    } catch (error) {
      return (error as { definition: { code: string } }).definition.code;
    }
  };

  it('is refused in the same way for foreign, absent and malformed ids', async () => {
    const absent = '0190f8a0-0000-7000-8000-0000000000ff';
    expect(await Promise.all([own, child, foreign, absent, 'x', '', own.toUpperCase()].map(outcome))).toEqual([
      'ok',
      'ok',
      ...Array<string>(5).fill('account-access-denied'),
    ]);
  });

  it('is looked up once for a parent, and each time for a refused caller, whether the account exists or not', async () => {
    const before = lookedUp.length;
    const absent = '0190f8a0-0000-7000-8000-0000000000ff';
    for (let round = 0; round < 3; round += 1) for (const account of [child, foreign, absent]) await outcome(account);
    expect(lookedUp.slice(before)).toEqual([foreign, absent, foreign, absent, foreign, absent]);
  });
});
