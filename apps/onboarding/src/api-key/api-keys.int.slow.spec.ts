import { randomBytes } from 'node:crypto';
import * as contracts from '@ponte/contracts';
import { derivedId } from '@ponte/kernel';
import { PARTNER, AccountsUnderTest } from '../testing/accounts-under-test';

const accounts = new AccountsUnderTest();

describe('API keys over the bus', () => {
  it('are created, returned and revoked; unknown ones are null', async () => {
    const partner = await accounts.commands().openAccount(PARTNER);
    const keyId = contracts.newApiKeyId('sandbox', randomBytes(contracts.KEY_ID_BYTES));
    const secret = await accounts.commands().createBearerKey(partner.accountId, keyId);
    expect(contracts.keyIdOfBearer(secret)).toBe(keyId);
    const key = await accounts.engines.bus.request(contracts.GetApiKey, { keyId }, accounts.context());
    expect(key).toMatchObject({
      accountId: partner.accountId,
      access: 'read-write',
      revoked: false,
      credential: { kind: 'bearer', secretHash: contracts.secretHashOf(secret) },
    });
    await accounts.commands().revokeKey(keyId, 'rotated');
    expect((await accounts.engines.bus.request(contracts.GetApiKey, { keyId }, accounts.context()))?.revoked).toBe(
      true,
    );
    for (const unknown of ['', 'x', `ak_test_${'0'.repeat(24)}`])
      expect(
        await accounts.engines.bus.request(contracts.GetApiKey, { keyId: unknown }, accounts.context()),
      ).toBeNull();
    for (const accountId of ['', '../x', derivedId('unknown')])
      expect(await accounts.engines.bus.request(contracts.GetAccount, { accountId }, accounts.context())).toBeNull();
    expect(JSON.stringify(await accounts.engines.store.read(`apiKey-${keyId}`))).not.toContain(secret);
  });
});
