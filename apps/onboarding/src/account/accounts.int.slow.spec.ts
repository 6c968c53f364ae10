import type { PageCursor } from '@ponte/contracts';
import * as contracts from '@ponte/contracts';
import { derivedId } from '@ponte/kernel';
import { sql } from 'kysely';
import { CANARIES, PARTNER, child, page, refusalOf, AccountsUnderTest } from '../testing/accounts-under-test';

import { eventually } from '@ponte/testing';
const accounts = new AccountsUnderTest();

describe('Accounts and keys over the bus', () => {
  it('are opened, changed and returned, and a repeated command changes nothing', async () => {
    const partner = await accounts.commands().openAccount(PARTNER);
    const holder = await contracts.sealHolder(
      accounts.engines.personalData,
      { legalName: CANARIES.legalName, taxId: CANARIES.taxId },
      { alias: 'A1', externalId: null },
    );
    const bankAccount = await contracts.sealBankAccount(accounts.engines.personalData, holder.holderId, {
      bankCode: '001',
      branch: CANARIES.branch,
      number: CANARIES.number,
    });
    const payload = {
      ...holder,
      accountId: accounts.engines.ids.next(),
      parentId: partner.accountId,
      alias: 'A1',
      externalId: null,
      onboardingMode: null,
      capabilities: [],
      bankAccount,
    };
    const again = accounts.context();
    const opened = await accounts.engines.bus.request(contracts.OpenAccount, payload, again);
    expect(opened).toMatchObject({
      accountId: payload.accountId,
      parentId: partner.accountId,
      status: 'active',
      taxIdFingerprint: accounts.engines.personalData.fingerprint('tax-id', CANARIES.taxId),
    });
    expect(await accounts.engines.bus.request(contracts.OpenAccount, payload, again)).toEqual(opened);

    const { accountId } = payload;
    const granted = await accounts.engines.bus.request(
      contracts.ChangeCapabilities,
      { accountId, grant: ['international-travels'], revoke: [] },
      accounts.context(),
    );
    expect(granted.capabilities).toEqual(['international-travels']);
    expect(await accounts.engines.bus.request(contracts.GetAccount, { accountId }, accounts.context())).toEqual({
      ...opened,
      capabilities: ['international-travels'],
    });
    expect(await accounts.engines.store.read(`account-${accountId}`)).toHaveLength(3);

    const held = await accounts.engines.bus.request(contracts.GetHolder, { accountId }, accounts.context());
    if (!held?.bankAccount) throw new Error('no bank account');
    const opens = await Promise.all(
      [held.legalName, held.taxId, held.bankAccount.branch, held.bankAccount.number].map((one) =>
        accounts.engines.personalData.open(one),
      ),
    );
    expect(opens).toEqual([CANARIES.legalName, CANARIES.taxId, CANARIES.branch, CANARIES.number]);
    const moved = await contracts.sealBankAccount(accounts.engines.personalData, held.holderId, {
      bankCode: '237',
      branch: '1',
      number: '22-2',
    });
    await accounts.engines.bus.request(
      contracts.RegisterBankAccount,
      { accountId, bankAccount: moved },
      accounts.context(),
    );
    expect(
      (await accounts.engines.bus.request(contracts.GetHolder, { accountId }, accounts.context()))?.bankAccount,
    ).toEqual(moved);
  });

  it('are refused under the same id with another name or bank account, although sealed values differ', async () => {
    const accountId = derivedId('test', 'twice');
    const bank = { bankCode: '001', branch: '1', number: '22-2' };
    await accounts.commands().openAccount({ ...PARTNER, bankAccount: bank }, accountId);
    await accounts.commands().openAccount({ ...PARTNER, bankAccount: bank }, accountId);
    for (const other of [
      { legalName: 'Acme Ltda' },
      { bankAccount: { ...bank, number: '22-3' } },
      { bankAccount: { ...bank, bankCode: '237' } },
    ]) {
      expect(
        (await refusalOf(accounts.commands().openAccount({ ...PARTNER, bankAccount: bank, ...other }, accountId))).code,
      ).toBe('account-already-exists');
    }
    expect(await accounts.engines.store.read(`account-${accountId}`)).toHaveLength(2);
  });

  it('result in a single account when 20 openings for the same id come at once', async () => {
    const accountId = derivedId('test', 'race');
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => accounts.commands().openAccount(PARTNER, accountId)),
    );
    expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(await accounts.engines.store.read(`account-${accountId}`)).toHaveLength(1);
  });

  it('are listed with the account itself first, then its sub-accounts, newest first, whatever the page size', async () => {
    const partner = await accounts.commands().openAccount(PARTNER);
    const stranger = await accounts.commands().openAccount({ ...PARTNER, alias: 'Stranger' });
    await accounts.commands().openAccount(child(stranger.accountId, 'not mine'));
    const children: string[] = [];
    for (const alias of ['one', 'two', 'three', 'four'])
      children.unshift((await accounts.commands().openAccount(child(partner.accountId, alias))).accountId);
    for (const limit of [1, 2, 5, 50]) {
      const seen: contracts.AccountListing[] = [];
      for (let cursor: PageCursor | null = null; ;) {
        const { items, next }: contracts.Page<contracts.AccountListing> = await accounts.engines.bus.request(
          contracts.ListAccounts,
          { accountId: partner.accountId, page: page(limit, cursor) },
          accounts.context(),
        );
        expect(items.length).toBeLessThanOrEqual(limit);
        seen.push(...items);
        if (!next) break;
        cursor = next;
      }
      expect(seen[0]?.accountId).toBe(partner.accountId);
      expect(new Set(seen.slice(1).map((one) => one.accountId))).toEqual(new Set(children));
      expect(seen.slice(1).map((one) => one.createdAt)).toEqual(
        seen
          .slice(1)
          .map((one) => one.createdAt)
          .sort()
          .reverse(),
      );
    }
    const own = await accounts.engines.bus.request(
      contracts.ListAccounts,
      { accountId: children[0] as string, page: page(1) },
      accounts.context(),
    );
    expect([own.items.map((one) => one.accountId), own.next]).toEqual([[children[0]], null]);
    expect(
      (await accounts.engines.bus.request(contracts.ListAllAccounts, { page: page(50) }, accounts.context())).items,
    ).toHaveLength(7);
    expect(
      (
        await accounts.engines.bus.request(
          contracts.ListAccounts,
          { accountId: 'no-id', page: page(5) },
          accounts.context(),
        )
      ).items,
    ).toEqual([]);
  });

  it('are returned by a command even if the read model fails, and the read model is filled again from the log', async () => {
    const partner = await accounts.commands().openAccount(PARTNER);
    await sql`alter table onboarding_accounts rename to hidden`.execute(accounts.engines.readModels);
    const orphan = await accounts.commands().openAccount(child(partner.accountId, 'unseen'));
    await sql`alter table hidden rename to onboarding_accounts`.execute(accounts.engines.readModels);
    await eventually(async () => {
      const { items } = await accounts.engines.bus.request(
        contracts.ListAccounts,
        { accountId: partner.accountId, page: page(5) },
        accounts.context(),
      );
      expect(items.map((one) => one.accountId)).toEqual([partner.accountId, orphan.accountId]);
    });
  });

  it('survive a restart', async () => {
    const partner = await accounts.commands().openAccount(PARTNER);
    await accounts.stop();
    await accounts.start();
    expect(await accounts.show(partner.accountId)).toEqual(partner);
    expect((await accounts.all(10)).items).toEqual([partner]);
  });
});
