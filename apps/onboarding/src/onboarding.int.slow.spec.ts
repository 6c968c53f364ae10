import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { INestMicroservice } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { PageCursor, PageRequest } from '@ponte/contracts';
import * as contracts from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import type { Refusal } from '@ponte/kernel';
import { derivedId } from '@ponte/kernel';
import type { Engines } from '@ponte/nest';
import { BusTransport, EnginesModule, nestLogger, openEmbeddedEngines } from '@ponte/nest';
import { sql } from 'kysely';
import { pino } from 'pino';
import { AccountCommands } from './sandbox/account-commands';
import { seedSandbox } from './sandbox/sandbox-seed';
import { OnboardingModule } from './onboarding.module';

@Module({})
class Root {}

/** Personal values that must be found nowhere in clear. */
const CANARIES = { legalName: 'Canaria Quixabeira Xisto', taxId: '11144477735', branch: '7391', number: '80512694-X' };

let folder: string;
let engines: Engines;
let app: INestMicroservice;
let log: string[] = [];

async function start(): Promise<void> {
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      log.push(chunk.toString());
      done();
    },
  });
  const runtime = {
    environment: 'sandbox' as const,
    dataDirectory: folder,
    port: 0,
    logLevel: 'trace',
    embeddedByName: true,
    failpoint: null,
  };
  engines = await openEmbeddedEngines(runtime, 'onboarding', { logger: pino({ level: 'trace' }, sink) });
  const root = { module: Root, imports: [EnginesModule.forRoot(engines), OnboardingModule] };
  app = await NestFactory.createMicroservice(root, {
    strategy: new BusTransport(engines.bus),
    logger: nestLogger(engines.logger),
    abortOnError: false,
  });
  await app.listen();
}

async function stop(): Promise<void> {
  await app.close();
  await engines.close();
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ponte-onboarding-'));
  log = [];
  await start();
});
afterEach(async () => {
  await stop();
  rmSync(folder, { recursive: true, force: true });
});

const context = (commandId = engines.ids.next()): RequestContext => ({
  commandId,
  correlationId: commandId,
  actor: 'test',
});
const page = (limit: number, cursor: PageCursor | null = null): PageRequest => ({
  limit,
  cursor,
  createdFrom: null,
  createdTo: null,
});
const commands = () => new AccountCommands(engines, 'admin');
const show = (accountId: string) => engines.bus.request(contracts.GetAccount, { accountId }, context());
const all = (limit: number) => engines.bus.request(contracts.ListAllAccounts, { page: page(limit) }, context());
const PARTNER = {
  parentId: null,
  alias: 'Acme',
  externalId: null,
  onboardingMode: 'kyc' as const,
  capabilities: ['manage-holders'],
  legalName: 'Acme SA',
  taxId: '11.222.333/0001-81',
  bankAccount: null,
};
const child = (parentId: string, alias: string) => ({
  ...PARTNER,
  parentId,
  alias,
  onboardingMode: null,
  legalName: CANARIES.legalName,
  taxId: CANARIES.taxId,
});
const refusalOf = (promise: Promise<unknown>): Promise<Refusal> =>
  promise.then(
    () => {
      throw new Error('not refused');
    },
    (error: Refusal) => error,
  );
const filesOf = (directory: string): Buffer[] =>
  readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)));

describe('accounts and keys over the bus', () => {
  it('opens, changes and answers; a repeated command changes nothing', async () => {
    const partner = await commands().openAccount(PARTNER);
    const holder = await contracts.sealHolder(
      engines.personalData,
      { legalName: CANARIES.legalName, taxId: CANARIES.taxId },
      { alias: 'A1', externalId: null },
    );
    const bankAccount = await contracts.sealBankAccount(engines.personalData, holder.holderId, {
      bankCode: '001',
      branch: CANARIES.branch,
      number: CANARIES.number,
    });
    const payload = {
      ...holder,
      accountId: engines.ids.next(),
      parentId: partner.accountId,
      alias: 'A1',
      externalId: null,
      onboardingMode: null,
      capabilities: [],
      bankAccount,
    };
    const again = context();
    const opened = await engines.bus.request(contracts.OpenAccount, payload, again);
    expect(opened).toMatchObject({
      accountId: payload.accountId,
      parentId: partner.accountId,
      status: 'active',
      taxIdFingerprint: engines.personalData.fingerprint('tax-id', CANARIES.taxId),
    });
    expect(await engines.bus.request(contracts.OpenAccount, payload, again)).toEqual(opened);

    const { accountId } = payload;
    const granted = await engines.bus.request(
      contracts.ChangeCapabilities,
      { accountId, grant: ['international-travels'], revoke: [] },
      context(),
    );
    expect(granted.capabilities).toEqual(['international-travels']);
    expect(await engines.bus.request(contracts.GetAccount, { accountId }, context())).toEqual({
      ...opened,
      capabilities: ['international-travels'],
    });
    expect(await engines.store.read(`account-${accountId}`)).toHaveLength(3);

    const held = await engines.bus.request(contracts.GetHolder, { accountId }, context());
    if (!held?.bankAccount) throw new Error('no bank account');
    const opens = await Promise.all(
      [held.legalName, held.taxId, held.bankAccount.branch, held.bankAccount.number].map((one) =>
        engines.personalData.open(one),
      ),
    );
    expect(opens).toEqual([CANARIES.legalName, CANARIES.taxId, CANARIES.branch, CANARIES.number]);
    const moved = await contracts.sealBankAccount(engines.personalData, held.holderId, {
      bankCode: '237',
      branch: '1',
      number: '22-2',
    });
    await engines.bus.request(contracts.RegisterBankAccount, { accountId, bankAccount: moved }, context());
    expect((await engines.bus.request(contracts.GetHolder, { accountId }, context()))?.bankAccount).toEqual(moved);
  });

  it('refuses the same id with another name or bank account, which only opening the seals shows', async () => {
    const accountId = derivedId('test', 'twice');
    const bank = { bankCode: '001', branch: '1', number: '22-2' };
    await commands().openAccount({ ...PARTNER, bankAccount: bank }, accountId);
    await commands().openAccount({ ...PARTNER, bankAccount: bank }, accountId);
    for (const other of [
      { legalName: 'Acme Ltda' },
      { bankAccount: { ...bank, number: '22-3' } },
      { bankAccount: { ...bank, bankCode: '237' } },
    ]) {
      expect(
        (await refusalOf(commands().openAccount({ ...PARTNER, bankAccount: bank, ...other }, accountId))).code,
      ).toBe('account-already-exists');
    }
    expect(await engines.store.read(`account-${accountId}`)).toHaveLength(2);
  });

  it('opens one account when 20 ask for the same id at once', async () => {
    const accountId = derivedId('test', 'race');
    const answers = await Promise.all(Array.from({ length: 20 }, () => commands().openAccount(PARTNER, accountId)));
    expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(await engines.store.read(`account-${accountId}`)).toHaveLength(1);
  });

  it('lists the account itself first, then its sub-accounts, newest first, whatever the page size; a write that was answered is there', async () => {
    const partner = await commands().openAccount(PARTNER);
    const stranger = await commands().openAccount({ ...PARTNER, alias: 'Stranger' });
    await commands().openAccount(child(stranger.accountId, 'not mine'));
    const children: string[] = [];
    for (const alias of ['one', 'two', 'three', 'four'])
      children.unshift((await commands().openAccount(child(partner.accountId, alias))).accountId);
    for (const limit of [1, 2, 5, 50]) {
      const seen: contracts.AccountListing[] = [];
      for (let cursor: PageCursor | null = null; ;) {
        const { items, next }: contracts.Page<contracts.AccountListing> = await engines.bus.request(
          contracts.ListAccounts,
          { accountId: partner.accountId, page: page(limit, cursor) },
          context(),
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
    const own = await engines.bus.request(
      contracts.ListAccounts,
      { accountId: children[0] as string, page: page(1) },
      context(),
    );
    expect([own.items.map((one) => one.accountId), own.next]).toEqual([[children[0]], null]);
    expect((await engines.bus.request(contracts.ListAllAccounts, { page: page(50) }, context())).items).toHaveLength(7);
    expect(
      (await engines.bus.request(contracts.ListAccounts, { accountId: 'no-id', page: page(5) }, context())).items,
    ).toEqual([]);
  });

  it('answers a command although the view fails, and fills the view again from the log', async () => {
    const partner = await commands().openAccount(PARTNER);
    await sql`alter table onboarding_accounts rename to hidden`.execute(engines.views);
    const orphan = await commands().openAccount(child(partner.accountId, 'unseen'));
    await sql`alter table hidden rename to onboarding_accounts`.execute(engines.views);
    await eventually(async () => {
      const { items } = await engines.bus.request(
        contracts.ListAccounts,
        { accountId: partner.accountId, page: page(5) },
        context(),
      );
      expect(items.map((one) => one.accountId)).toEqual([partner.accountId, orphan.accountId]);
    });
  });

  it('makes, answers and revokes keys; what is not there is null', async () => {
    const partner = await commands().openAccount(PARTNER);
    const keyId = contracts.newApiKeyId('sandbox', randomBytes(contracts.KEY_ID_BYTES));
    const secret = await commands().createBearerKey(partner.accountId, keyId);
    expect(contracts.keyIdOfBearer(secret)).toBe(keyId);
    const key = await engines.bus.request(contracts.GetApiKey, { keyId }, context());
    expect(key).toMatchObject({
      accountId: partner.accountId,
      access: 'read-write',
      revoked: false,
      credential: { kind: 'bearer', secretHash: contracts.secretHashOf(secret) },
    });
    await commands().revokeKey(keyId, 'rotated');
    expect((await engines.bus.request(contracts.GetApiKey, { keyId }, context()))?.revoked).toBe(true);
    for (const unknown of ['', 'x', `ak_test_${'0'.repeat(24)}`])
      expect(await engines.bus.request(contracts.GetApiKey, { keyId: unknown }, context())).toBeNull();
    for (const accountId of ['', '../x', derivedId('unknown')])
      expect(await engines.bus.request(contracts.GetAccount, { accountId }, context())).toBeNull();
    expect(JSON.stringify(await engines.store.read(`apiKey-${keyId}`))).not.toContain(secret);
  });

  it('keeps everything over a restart', async () => {
    const partner = await commands().openAccount(PARTNER);
    await stop();
    await start();
    expect(await show(partner.accountId)).toEqual(partner);
    expect((await all(10)).items).toEqual([partner]);
  });
});

describe('personal data', () => {
  it('reaches no event, no view, no file, no log line, no refusal and no record in clear', async () => {
    const partner = await commands().openAccount(PARTNER);
    const said: unknown[] = [];
    const bank = { bankCode: '001', branch: CANARIES.branch, number: CANARIES.number };
    const input = { ...child(partner.accountId, 'quiet'), bankAccount: bank };
    const account = await commands().openAccount(input);
    const { accountId } = account;
    const keyId = contracts.newApiKeyId('sandbox', randomBytes(contracts.KEY_ID_BYTES));
    const change = { accountId, grant: ['rate-lock-5m'], revoke: [] };
    said.push(
      account,
      await engines.bus.request(contracts.ChangeCapabilities, change, context()),
      await commands().createBearerKey(accountId, keyId),
      await engines.bus.request(contracts.GetApiKey, { keyId }, context()),
      await engines.bus.request(contracts.GetHolder, { accountId }, context()),
      await all(50),
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
      said.push((await refusalOf(commands().openAccount({ ...input, ...wrong }))).toJSON());
    said.push((await refusalOf(commands().openAccount({ ...input, alias: 'other' }, account.accountId))).toJSON());
    const events: unknown[] = [];
    const subscription = engines.store.subscribe();
    for await (const slice of subscription) {
      events.push(...slice.events);
      if (slice.caughtUp) break;
    }
    await subscription.close();
    const everything = [
      JSON.stringify(events),
      JSON.stringify(said),
      log.join(''),
      ...filesOf(folder).map((file) => file.toString('latin1')),
    ];
    // What may be seen is found there, so the search looks where it should.
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
    // Four digits alone may stand anywhere by chance; as a value of their own they may not.
    for (const sink of everything.slice(0, 3)) expect(sink).not.toContain(`"${CANARIES.branch}"`);
  });
});

describe('the seed of the sandbox', () => {
  it('makes a partner, a sub-account and a key, and finds them again', async () => {
    const first = await seedSandbox(engines, null);
    const size = await engines.store.head();
    expect(await seedSandbox(engines, first.apiKey, first)).toEqual(first);
    expect(await engines.store.head()).toBe(size);
    const partner = await show(first.partnerId);
    expect(partner).toMatchObject({ parentId: null, onboardingMode: 'kyc', alias: 'Ponte Sandbox Partner' });
    for (const name of [...contracts.CAPABILITIES, 'rate-lock-5m']) expect(partner?.capabilities).toContain(name);
    expect(await show(first.subaccountId)).toMatchObject({ parentId: first.partnerId });
  });

  it('revokes a key that was lost or spoilt and makes another', async () => {
    const first = await seedSandbox(engines, null);
    const revoked = async (secret: string) =>
      (await engines.bus.request(contracts.GetApiKey, { keyId: contracts.keyIdOfBearer(secret) ?? '' }, context()))
        ?.revoked;
    let last = first.apiKey;
    for (const known of [null, 'garbage', `${first.apiKey.slice(0, -1)}_`]) {
      const { apiKey } = await seedSandbox(engines, known);
      expect([await revoked(last), await revoked(apiKey)]).toEqual([true, false]);
      last = apiKey;
    }
    await commands().revokeKey(contracts.keyIdOfBearer(last) ?? '', 'operator-request');
    expect(await revoked((await seedSandbox(engines, last)).apiKey)).toBe(false);
  });
});

/** Until the expectation holds, for at most five seconds. */
async function eventually(expectation: () => Promise<void>): Promise<void> {
  const end = Date.now() + 5_000;
  for (;;) {
    try {
      return await expectation();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => {
        setTimeout(resolve, 20);
      });
    }
  }
}
