import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as contracts from '@ponte/contracts';
import { derivedId } from '@ponte/kernel';
import { CANARIES, PARTNER, child, refusalOf, AccountsUnderTest } from '../testing/accounts-under-test';

const accounts = new AccountsUnderTest();

const filesOf = (directory: string): Buffer[] =>
  readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)));

describe('Personal data', () => {
  it('appears in clear in no event, view, file, log line, refusal or record', async () => {
    const partner = await accounts.commands().openAccount(PARTNER);
    const logged: unknown[] = [];
    const bank = { bankCode: '001', branch: CANARIES.branch, number: CANARIES.number };
    const input = { ...child(partner.accountId, 'quiet'), bankAccount: bank };
    const account = await accounts.commands().openAccount(input);
    const { accountId } = account;
    const keyId = contracts.newApiKeyId('sandbox', randomBytes(contracts.KEY_ID_BYTES));
    const change = { accountId, grant: ['rate-lock-5m'], revoke: [] };
    logged.push(
      account,
      await accounts.engines.bus.request(contracts.ChangeCapabilities, change, accounts.context()),
      await accounts.commands().createBearerKey(accountId, keyId),
      await accounts.engines.bus.request(contracts.GetApiKey, { keyId }, accounts.context()),
      await accounts.engines.bus.request(contracts.GetHolder, { accountId }, accounts.context()),
      await accounts.all(50),
    );
    for (const wrong of [
      { taxId: `${CANARIES.taxId}9` },
      { legalName: CANARIES.legalName.repeat(10) },
      { bankAccount: { ...bank, number: `${CANARIES.number}-${CANARIES.number}` } },
      { parentId: derivedId('unknown') },
      { alias: `Conta de ${CANARIES.legalName.toUpperCase()}` },
      { alias: `CPF 111.444.777-35` },
      { externalId: CANARIES.taxId },
      { capabilities: [CANARIES.legalName] },
      { alias: '' },
    ])
      logged.push((await refusalOf(accounts.commands().openAccount({ ...input, ...wrong }))).toJSON());
    logged.push(
      (await refusalOf(accounts.commands().openAccount({ ...input, alias: 'other' }, account.accountId))).toJSON(),
    );
    const events: unknown[] = [];
    const subscription = accounts.engines.store.subscribe();
    for await (const slice of subscription) {
      events.push(...slice.events);
      if (slice.caughtUp) break;
    }
    await subscription.close();
    const everything = [
      JSON.stringify(events),
      JSON.stringify(logged),
      accounts.log.join(''),
      ...filesOf(accounts.folder).map((file) => file.toString('latin1')),
    ];
    // A value that may be visible is found there, which proves that the search covers the right places.
    expect(
      ['quiet', account.accountId].map((shown) => everything.filter((sink) => sink.includes(shown)).length >= 3),
    ).toEqual([true, true]);
    for (const canary of [
      ...Object.values(CANARIES).filter((one) => one !== CANARIES.branch),
      'Canaria',
      '111.444.777-35',
    ]) {
      for (const sink of everything) expect(sink.includes(canary)).toBe(false);
    }
    // Four digits may occur anywhere by chance, but not as a separate value.
    for (const sink of everything.slice(0, 3)) expect(sink).not.toContain(`"${CANARIES.branch}"`);
  });
});
