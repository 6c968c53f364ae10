import type { ApiKeyRecord } from '@ponte/contracts';
import type { Services } from '../edge/services';
import { ApiKeyCache } from './authentication';

describe('the API key cache', () => {
  const apiKey = (keyId: string): ApiKeyRecord => ({
    keyId,
    accountId: 'a',
    name: 'n',
    access: 'read-only',
    credential: { kind: 'bearer', secretHash: 'aa' },
    ipAllowlist: [],
    rateLimits: null,
    revoked: false,
  });
  function setUp(answer: (keyId: string) => Promise<ApiKeyRecord | null>) {
    const clock = { ms: 0 };
    const asked: string[] = [];
    const keys = new ApiKeyCache(
      {
        lookUp: ((_definition, { keyId }: { keyId: string }) => {
          asked.push(keyId);
          return answer(keyId);
        }) as Services['lookUp'],
      },
      { now: () => clock.ms },
    );
    return { clock, asked, keys };
  }

  it('keeps a key for 5 s and its absence for 1 s, and makes one look-up for concurrent requests', async () => {
    const { clock, asked, keys } = setUp(async (keyId) => (keyId === 'there' ? apiKey(keyId) : null));
    await Promise.all([keys.find('there'), keys.find('there'), keys.find('gone')]);
    expect(asked).toEqual(['there', 'gone']);
    clock.ms = 999;
    await Promise.all([keys.find('there'), keys.find('gone')]);
    expect(asked).toHaveLength(2);
    clock.ms = 1_000;
    await Promise.all([keys.find('there'), keys.find('gone')]);
    clock.ms = 5_000;
    await keys.find('there');
    expect(asked).toEqual(['there', 'gone', 'gone', 'there']);
  });

  it('drops a revoked key at once, even if an older look-up is still in progress', async () => {
    const gate: { open: () => void } = { open: () => undefined };
    let revoked = false;
    const { asked, keys } = setUp(async (keyId) => {
      const seen = { ...apiKey(keyId), revoked };
      if (!revoked)
        await new Promise<void>((resolve) => {
          gate.open = resolve;
        });
      return seen;
    });
    const early = keys.find('k');
    revoked = true;
    keys.drop('k');
    gate.open();
    await early;
    expect((await keys.find('k'))?.record.revoked).toBe(true);
    expect(asked).toHaveLength(2);
  });

  it('does not store a failed look-up', async () => {
    let failing = true;
    const { keys } = setUp(async (keyId) => {
      if (failing) throw new Error('away');
      return apiKey(keyId);
    });
    await expect(keys.find('k')).rejects.toThrow('away');
    failing = false;
    expect((await keys.find('k'))?.record.keyId).toBe('k');
  });
});
