import { Partners } from './work-in-progress';

const settled = () => new Promise(setImmediate);

describe('the partner of an account', () => {
  const parents: Record<string, string | null> = { child: 'partner', partner: null };
  const request = jest.fn(async (_definition: unknown, { accountId }: { accountId: string }) => {
    if (accountId === 'failing') throw new Error('no answer');
    return accountId in parents ? { parentId: parents[accountId] ?? null } : null;
  });
  const partners = () => new Partners({ request } as never, { now: () => 0 });
  beforeEach(() => request.mockClear());

  it('is its parent, or itself if it has none', async () => {
    const known = partners();
    for (const accountId of ['child', 'partner', 'foreign']) expect(known.of(accountId)).toBe('unknown');
    await settled();
    expect(['child', 'partner', 'foreign'].map((accountId) => known.of(accountId))).toEqual([
      'partner',
      'partner',
      'foreign',
    ]);
  });

  it('is looked up once, and after a failure not at once again', async () => {
    const known = partners();
    for (let time = 0; time < 3; time += 1) {
      known.of('child');
      expect(known.of('failing')).toBe('unknown');
      await settled();
    }
    expect(request.mock.calls.map(([, { accountId }]) => accountId)).toEqual(['child', 'failing']);
  });
});
