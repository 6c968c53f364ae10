import * as contracts from '@ponte/contracts';
import { seedSandbox } from './sandbox-seed';
import { AccountsUnderTest } from '../testing/accounts-under-test';

const accounts = new AccountsUnderTest();

describe('The seed of the sandbox', () => {
  it('creates a partner, a sub-account and a key, and finds them again', async () => {
    const first = await seedSandbox(accounts.engines, null);
    const size = await accounts.engines.store.head();
    expect(await seedSandbox(accounts.engines, first.apiKey, first)).toEqual(first);
    expect(await accounts.engines.store.head()).toBe(size);
    const partner = await accounts.show(first.partnerId);
    expect(partner).toMatchObject({ parentId: null, onboardingMode: 'kyc', alias: 'Ponte Sandbox Partner' });
    for (const name of [...contracts.CAPABILITIES, 'rate-lock-5m']) expect(partner?.capabilities).toContain(name);
    expect(await accounts.show(first.subaccountId)).toMatchObject({ parentId: first.partnerId });
  });

  it('revokes a key that was lost or damaged and creates another', async () => {
    const first = await seedSandbox(accounts.engines, null);
    const revoked = async (secret: string) =>
      (
        await accounts.engines.bus.request(
          contracts.GetApiKey,
          { keyId: contracts.keyIdOfBearer(secret) ?? '' },
          accounts.context(),
        )
      )?.revoked;
    let last = first.apiKey;
    for (const known of [null, 'garbage', `${first.apiKey.slice(0, -1)}_`]) {
      const { apiKey } = await seedSandbox(accounts.engines, known);
      expect([await revoked(last), await revoked(apiKey)]).toEqual([true, false]);
      last = apiKey;
    }
    await accounts.commands().revokeKey(contracts.keyIdOfBearer(last) ?? '', 'operator-request');
    expect(await revoked((await seedSandbox(accounts.engines, last)).apiKey)).toBe(false);
  });
});
