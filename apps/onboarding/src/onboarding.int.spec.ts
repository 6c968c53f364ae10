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
import { busOperations } from './admin/bus-operations';
import { buildAdminProgram, runAdmin } from './admin/cli';
import { seedSandbox } from './admin/sandbox-seed';
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
const operations = () => busOperations(engines, 'admin');
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
    const partner = await operations().openAccount(PARTNER);
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
    await operations().openAccount({ ...PARTNER, bankAccount: bank }, accountId);
    await operations().openAccount({ ...PARTNER, bankAccount: bank }, accountId);
    for (const other of [
      { legalName: 'Acme Ltda' },
      { bankAccount: { ...bank, number: '22-3' } },
      { bankAccount: { ...bank, bankCode: '237' } },
    ]) {
      expect(
        (await refusalOf(operations().openAccount({ ...PARTNER, bankAccount: bank, ...other }, accountId))).code,
      ).toBe('account-already-exists');
    }
    expect(await engines.store.read(`account-${accountId}`)).toHaveLength(2);
  });

  it('opens one account when 20 ask for the same id at once', async () => {
    const accountId = derivedId('test', 'race');
    const answers = await Promise.all(Array.from({ length: 20 }, () => operations().openAccount(PARTNER, accountId)));
    expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(await engines.store.read(`account-${accountId}`)).toHaveLength(1);
  });

  it('lists the account itself first, then its sub-accounts, newest first, whatever the page size; a write that was answered is there', async () => {
    const partner = await operations().openAccount(PARTNER);
    const stranger = await operations().openAccount({ ...PARTNER, alias: 'Stranger' });
    await operations().openAccount(child(stranger.accountId, 'not mine'));
    const children: string[] = [];
    for (const alias of ['one', 'two', 'three', 'four'])
      children.unshift((await operations().openAccount(child(partner.accountId, alias))).accountId);
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
    const partner = await operations().openAccount(PARTNER);
    await sql`alter table onboarding_accounts rename to hidden`.execute(engines.views);
    const orphan = await operations().openAccount(child(partner.accountId, 'unseen'));
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
    const partner = await operations().openAccount(PARTNER);
    const made = await operations().createKey({
      accountId: partner.accountId,
      name: 'backend',
      access: 'read-write',
      credential: { kind: 'bearer' },
      ipAllowlist: [],
      rateLimits: null,
    });
    const secret = made.secret ?? '';
    expect(contracts.keyIdOfBearer(secret)).toBe(made.keyId);
    const key = await engines.bus.request(contracts.GetApiKey, { keyId: made.keyId }, context());
    expect(key).toMatchObject({
      accountId: partner.accountId,
      access: 'read-write',
      revoked: false,
      credential: { kind: 'bearer', secretHash: contracts.secretHashOf(secret) },
    });
    await operations().revokeKey(made.keyId, 'rotated');
    expect((await engines.bus.request(contracts.GetApiKey, { keyId: made.keyId }, context()))?.revoked).toBe(true);
    for (const keyId of ['', 'x', `ak_test_${'0'.repeat(24)}`])
      expect(await engines.bus.request(contracts.GetApiKey, { keyId }, context())).toBeNull();
    for (const accountId of ['', '../x', derivedId('unknown')])
      expect(await engines.bus.request(contracts.GetAccount, { accountId }, context())).toBeNull();
    expect(JSON.stringify(await engines.store.read(`apiKey-${made.keyId}`))).not.toContain(secret);
  });

  it('keeps everything over a restart', async () => {
    const partner = await operations().openAccount(PARTNER);
    await stop();
    await start();
    expect(await operations().showAccount(partner.accountId)).toEqual(partner);
    expect((await operations().listAccounts(10, null)).accounts).toEqual([partner]);
  });
});

describe('personal data', () => {
  it('reaches no event, no view, no file, no log line, no refusal and no record in clear', async () => {
    const partner = await operations().openAccount(PARTNER);
    const said: unknown[] = [];
    const bank = { bankCode: '001', branch: CANARIES.branch, number: CANARIES.number };
    const input = { ...child(partner.accountId, 'quiet'), bankAccount: bank };
    const account = await operations().openAccount(input);
    said.push(
      account,
      await operations().changeCapabilities(account.accountId, { grant: ['rate-lock-5m'], revoke: [] }),
    );
    said.push(
      await operations().createKey({
        accountId: account.accountId,
        name: 'key',
        access: 'read-only',
        credential: { kind: 'bearer' },
        ipAllowlist: [],
        rateLimits: null,
      }),
    );
    said.push(
      await engines.bus.request(contracts.GetHolder, { accountId: account.accountId }, context()),
      await operations().listAccounts(50, null),
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
      said.push((await refusalOf(operations().openAccount({ ...input, ...wrong }))).toJSON());
    said.push((await refusalOf(operations().openAccount({ ...input, alias: 'other' }, account.accountId))).toJSON());
    const lines: string[] = [];
    const program = buildAdminProgram(
      operations(),
      (line) => lines.push(line),
      () => CANARIES.legalName,
    );
    expect(
      await runAdmin(
        program,
        [
          'account:open-subaccount',
          '--parent',
          partner.accountId,
          '--alias',
          'cli',
          '--legal-name',
          '@name.txt',
          '--tax-id',
          `${CANARIES.taxId}0`,
        ],
        (line) => lines.push(line),
      ),
    ).toBe(1);
    expect(lines).toEqual(['refused: invalid-tax-id at tax-id: must be a CPF or a CNPJ with its check digits']);

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
      lines.join('\n'),
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
    for (const sink of everything.slice(0, 4)) expect(sink).not.toContain(`"${CANARIES.branch}"`);
  });
});

describe('the seed of the sandbox', () => {
  it('makes a partner, a sub-account and a key, and finds them again', async () => {
    const first = await seedSandbox(engines, null);
    const size = await engines.store.head();
    expect(await seedSandbox(engines, first.apiKey, first)).toEqual(first);
    expect(await engines.store.head()).toBe(size);
    const partner = await operations().showAccount(first.partnerId);
    expect(partner).toMatchObject({ parentId: null, onboardingMode: 'kyc', alias: 'Ponte Sandbox Partner' });
    for (const name of [...contracts.CAPABILITIES, 'rate-lock-5m']) expect(partner.capabilities).toContain(name);
    expect(await operations().showAccount(first.subaccountId)).toMatchObject({ parentId: first.partnerId });
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
    await operations().revokeKey(contracts.keyIdOfBearer(last) ?? '', 'operator-request');
    expect(await revoked((await seedSandbox(engines, last)).apiKey)).toBe(false);
  });
});

describe('the operator command', () => {
  it("does the whole of a partner's beginning, readable and as JSON", async () => {
    const lines: string[] = [];
    const run = (...argv: string[]) => {
      lines.length = 0;
      const print = (line: string) => void lines.push(line);
      return runAdmin(buildAdminProgram(operations(), print), argv, print);
    };
    const json = () => JSON.parse(lines.join('\n')) as Record<string, string>;
    expect(
      await run(
        'account:open-partner',
        '--alias',
        'Acme',
        '--legal-name',
        'Acme SA',
        '--tax-id',
        '11222333000181',
        '--capability',
        'manage-holders,rate-lock-5m',
        '--json',
      ),
    ).toBe(0);
    const partner = json()['account-id'] as string;
    expect(
      await run(
        'account:open-subaccount',
        '--parent',
        partner,
        '--alias',
        'A1',
        '--legal-name',
        'Joana Lima',
        '--tax-id',
        '52998224725',
        '--bank-code',
        '001',
        '--branch-number',
        '1',
        '--account-number',
        '22-2',
      ),
    ).toBe(0);
    expect(lines.join('\n')).toMatch(new RegExp(`parent-id +${partner}`));
    expect(lines.join('\n')).not.toContain('Joana');
    expect(await run('capability:grant', '--account', partner, '--capability', 'pay-after-acceptance', '--json')).toBe(
      0,
    );
    expect(json()['capabilities']).toEqual(['manage-holders', 'rate-lock-5m', 'pay-after-acceptance']);
    expect(await run('capability:revoke', '--account', partner, '--capability', 'manage-holders')).toBe(0);
    expect(
      await run(
        'key:create',
        '--account',
        partner,
        '--name',
        'backend',
        '--access',
        'read-write',
        '--bearer',
        '--writes-per-second',
        '5',
        '--write-burst',
        '10',
        '--reads-per-second',
        '7',
        '--read-burst',
        '14',
        '--json',
      ),
    ).toBe(0);
    const { 'key-id': keyId, secret } = json();
    expect(await engines.bus.request(contracts.GetApiKey, { keyId: keyId as string }, context())).toMatchObject({
      rateLimits: { writesPerSecond: 5, writeBurst: 10, readsPerSecond: 7, readBurst: 14 },
    });
    expect(contracts.keyIdOfBearer(secret as string)).toBe(keyId);
    expect(await run('key:revoke', '--key', keyId as string)).toBe(0);
    expect(await run('account:show', '--account', partner)).toBe(0);
    expect(await run('account:list', '--limit', '1')).toBe(0);
    expect(lines).toHaveLength(2);
    const cursor = (lines[1] as string).replace('more: --cursor ', '');
    expect(await run('account:list', '--cursor', cursor)).toBe(0);
    expect(lines).toEqual([expect.stringContaining(partner)]);
    let screened: contracts.ScreeningOutcome = 'clear';
    engines.bus.handle(contracts.ScreenAddress.pattern, async () => ({ outcome: screened }));
    const mixed = '0x52908400098527886E0F7030069857D2E4169EE7';
    const whitelisted = { 'account-id': partner, address: mixed.toLowerCase(), fx: false };
    expect([await run('wallet:whitelist', '--account', partner, '--address', mixed, '--json'), json()]).toEqual([
      0,
      whitelisted,
    ]);
    expect([await run('wallet:whitelist', '--account', partner, '--address', mixed, '--fx', '--json'), json()]).toEqual(
      [0, { ...whitelisted, fx: true }],
    );
    expect([await run('wallet:whitelist', '--account', partner, '--address', mixed, '--json'), json()]).toEqual([
      0,
      { ...whitelisted, fx: true },
    ]);
    screened = 'waits';
    expect(await run('wallet:whitelist', '--account', partner, '--address', `0x${'5a'.repeat(20)}`)).toBe(1);
    const wanted: unknown[] = [];
    engines.bus.handle(contracts.IssueCertificate.pattern, async (payload) => {
      wanted.push(payload);
      const { certificateId: id, ...terms } = payload as contracts.IssueCertificatePayload;
      return { ...terms, id, rewardTier: 90, status: 'issued' };
    });
    const issue = [
      'certificate:issue',
      '--account',
      partner,
      '--wallet',
      mixed,
      '--amount',
      '100',
      '--reference',
      'REW-1',
    ];
    expect([await run(...issue, '--json'), json()]).toEqual([
      0,
      expect.objectContaining({ 'account-id': partner, status: 'issued', 'reward-tier': 90 }),
    ]);
    expect([await run(...issue, '--reward-tier', '97'), await run(...issue, '--reward-tier', '50')]).toEqual([0, 1]);
    expect(wanted).toEqual(
      [null, 97].map((rewardTier) =>
        expect.objectContaining({
          certificateId: derivedId('reward-certificate', 'reference', 'REW-1'),
          rewardTier,
          otherwiseTier: null,
        }),
      ),
    );
    // The clock and the bank are of other services, which stand here for themselves.
    const asked: unknown[] = [];
    const bank = {
      callbacks: 'held',
      returns: 'prompt',
      settlement: 'prompt',
      faults: [{ operation: 'put-charge', fault: 'done' }],
      received: '1.00',
      returned: '0.00',
    };
    engines.bus.handle(contracts.AdvanceClock.pattern, async (payload) => {
      asked.push(payload);
      return { now: '2026-01-31T12:00:00.000Z', aheadMs: 60_001 };
    });
    engines.bus.handle(contracts.SetBankBehaviour.pattern, async (payload) => {
      asked.push(payload);
      return bank;
    });
    engines.bus.handle(contracts.GetBank.pattern, async () => bank);
    expect([await run('clock:advance', '--seconds', '61', '--json'), json()]).toEqual([
      0,
      { now: '2026-01-31T12:00:00.000Z', 'ahead-seconds': 61 },
    ]);
    expect(await run('bank:misbehave', '--callbacks', 'held', '--fault', 'put-charge=done')).toBe(0);
    expect(lines.join('\n')).toMatch(/callbacks +held[^]*faults +put-charge=done/);
    expect(await run('bank:show', '--json')).toBe(0);
    expect(asked).toEqual([
      { seconds: 61, until: null },
      { callbacks: 'held', returns: null, settlement: null, faults: [{ operation: 'put-charge', fault: 'done' }] },
    ]);
    for (const wrong of [
      ['clock:advance'],
      ['clock:advance', '--seconds', '0'],
      ['clock:advance', '--until', 'noon'],
      ['bank:misbehave', '--fault', 'put-charge'],
      ['bank:misbehave', '--returns', 'lost'],
    ])
      expect(await run(...wrong)).toBe(1);
    expect(asked).toHaveLength(2);
    expect(await engines.bus.request(contracts.GetWhitelistedWallets, { accountId: partner }, context())).toEqual({
      wallets: [{ address: mixed.toLowerCase(), fx: true }],
    });
  });

  it('says what is wrong and leaves with 1', async () => {
    const lines: string[] = [];
    const answers: string[] = [];
    const run = (...argv: string[]) =>
      runAdmin(
        buildAdminProgram(operations(), (text) => void answers.push(text)),
        argv,
        (line) => void lines.push(line),
      );
    expect(await run('account:show', '--account', derivedId('unknown'))).toBe(1);
    expect(await run('key:create', '--account', 'x', '--name', 'k')).toBe(1);
    expect(
      await run(
        'key:create',
        '--account',
        derivedId('unknown'),
        '--name',
        'k',
        '--bearer',
        '--write-burst',
        '3',
        '--read-burst',
        '4',
      ),
    ).toBe(1);
    expect(
      await run('key:create', '--account', derivedId('unknown'), '--name', 'k', '--bearer', '--write-burst', '1.5'),
    ).toBe(1);
    expect(await run('wallet:whitelist', '--account', derivedId('unknown'), '--address', '0x12')).toBe(1);
    expect(await run('account:list', '--limit', '0')).toBe(1);
    expect(await run('account:open-partner')).toBe(1);
    expect(await run('nonsense')).toBe(1);
    expect(lines.map((line) => line.split(':').slice(0, 2).join(':'))).toEqual([
      'refused: account-not-found at account-id',
      'refused: missing-field at public-key',
      'refused: missing-field at rate-limits.writes-per-second',
      'refused: missing-field at rate-limits.reads-per-second',
      expect.stringContaining('error'),
      'refused: account-not-found at account-id',
      expect.stringContaining('error'),
      expect.stringContaining('error'),
      expect.stringContaining('error'),
    ]);
    expect(answers).toEqual([]);
    expect(await run('--help')).toBe(0);
    expect([answers.length, lines.length]).toEqual([1, 9]);
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
