import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DepositVoidReason, PixCoordinates } from '@ponte/contracts';
import {
  GetTrialBalance,
  GetDeposit,
  ListDeposits,
  ListOpenHolds,
  NO_CHARGES,
  PlaceHold,
  PostExchange,
  ReleaseHold,
  SimulatePixPayment,
  holderIdOf,
} from '@ponte/contracts';
import { Refusal, addSeconds, isoTime } from '@ponte/kernel';
import { MemoryEventStore, anEvent, eventually, temporaryFolder } from '@ponte/testing';
import { createViewCheckpoints } from '@ponte/read-models';
import { TRIAL_BALANCE_READER } from './trial-balance/trial-balance-reader';
import { ReceivePixCommand } from './pix-charge/receive-pix.command';
import { depositIdOf } from './deposit/deposit.state';
import { LedgerModule } from './ledger.module';
import { ACCOUNT, HOLDER_CPF, HOLDER_NAME, LedgerUnderTest, PARENT, STRANGER_CPF } from './testing/ledger-under-test';

let place: ReturnType<typeof temporaryFolder>;
let ledger: LedgerUnderTest<MemoryEventStore>;
beforeEach(async () => {
  place = temporaryFolder();
  ledger = new LedgerUnderTest({
    module: LedgerModule,
    folder: place.path,
    open: (before) => new MemoryEventStore({ log: before?.log }),
  });
  await ledger.boot();
});
afterEach(async () => {
  await eventually(() => ledger.assertTrialBalance());
  await ledger.stop();
  place.remove();
});

const credited = (endToEndId: string) =>
  eventually(async () => {
    expect(await ledger.types(`deposit-${depositIdOf(endToEndId)}`)).toEqual([
      'DepositCreated',
      'DepositConfirmed',
      'DepositCredited',
    ]);
  });
const voided = (endToEndId: string, reason: DepositVoidReason) =>
  eventually(async () => {
    const events = await ledger.events(`deposit-${depositIdOf(endToEndId)}`);
    expect(events.map(({ type }) => type)).toEqual(['DepositCreated', 'DepositVoided', 'DepositReturned']);
    expect(events[1]?.data).toMatchObject({ reason });
  });
const fund = async (amount: string) => credited((await ledger.pay(await ledger.fundingCode(), amount)).endToEndId);
const hold = (orderId: string, amount: string, holdId = `hold-${orderId}`) =>
  ledger.ask(PlaceHold, {
    accountId: ACCOUNT,
    hold: { holdId, owner: { kind: 'order', id: orderId }, asset: 'fiat/brl', amount },
  });
const exchange = (orderId: string, holdId: string, amount: string) =>
  ledger.ask(PostExchange, {
    accountId: ACCOUNT,
    orderId,
    holdId,
    debit: { asset: 'fiat/brl', amount },
    credit: { asset: 'eth-base/brlv', amount: `${amount}${'0'.repeat(16)}` },
    custody: true,
    charges: NO_CHARGES,
    deliveryHold: null,
  });

describe('deposits by Pix', () => {
  it('the holder pays the account’s code: credited once, available, in the list', async () => {
    const { endToEndId, amount, settledAt } = await ledger.pay(await ledger.fundingCode(), '100.00');
    expect(endToEndId).toMatch(/^E[0-9A-Z]{8}\d{12}[a-zA-Z0-9]{11}$/);
    expect([amount, settledAt]).toEqual(['100.00', isoTime(ledger.now)]);
    await credited(endToEndId);
    expect(await ledger.balance()).toEqual({ running: '100.00', available: '100.00', held: '0.00' });
    const [deposit, ...others] = await eventually(async () => {
      const found = await ledger.deposits();
      expect(found[0]?.status).toBe('credited');
      return found;
    });
    expect(others).toEqual([]);
    expect(deposit).toMatchObject({
      id: depositIdOf(endToEndId),
      accountId: ACCOUNT,
      type: 'pix',
      asset: 'fiat/brl',
      amount: '100.00',
      endToEndId,
      orderId: null,
      voidReason: null,
    });
    const coordinates = deposit?.coordinates as PixCoordinates;
    const open = (sealed: string | undefined) => ledger.engines.personalData.open(sealed as never);
    expect(await open(coordinates.sourceTaxId)).toBe(HOLDER_CPF);
    expect(await open(coordinates.sourceLegalName)).toBe(HOLDER_NAME);
    expect(await ledger.ask(GetDeposit, { accountId: ACCOUNT, depositId: deposit?.id ?? '' })).toEqual(deposit);
    expect(await ledger.ask(GetDeposit, { accountId: PARENT, depositId: deposit?.id ?? '' })).toBeNull();
  });

  it('First-party rule: anyone else’s money is voided and goes back', async () => {
    const { endToEndId } = await ledger.pay(await ledger.fundingCode(), '100.00', STRANGER_CPF);
    await voided(endToEndId, 'payer-tax-id-mismatch');
    expect(await ledger.balance()).toEqual({ running: '0.00', available: '0.00', held: '0.00' });
    expect(ledger.bank.totals().returned.toString()).toBe('100.00');
    await eventually(async () =>
      expect((await ledger.deposits())[0]).toMatchObject({
        status: 'voided',
        voidReason: 'payer-tax-id-mismatch',
        processedAt: null,
      }),
    );
  });

  it('money for no one, and for an account that is closed, goes back', async () => {
    const code = await ledger.fundingCode();
    const unknown = await ledger.fundingCode(PARENT);
    await voided((await ledger.pay(unknown, '1.00', HOLDER_CPF)).endToEndId, 'unknown-target');
    ledger.status.set(ACCOUNT, 'closed');
    await voided((await ledger.pay(code, '2.00')).endToEndId, 'account-not-active');
  });

  it('a payer whom the bank does not name is a mismatch', async () => {
    const payer = { ...ledger.bank.invent(HOLDER_CPF, null), taxId: null };
    const { endToEndId } = await ledger.bank.pay({
      reference: 'r1',
      brcode: await ledger.fundingCode(),
      amount: '3.00',
      payer,
    });
    await voided(endToEndId, 'payer-tax-id-mismatch');
  });

  it('someone who was erased and pays again is received like anybody', async () => {
    const { personalData } = ledger.engines;
    const payer = ledger.bank.invent(STRANGER_CPF, null);
    ledger.bank.misbehaviour.callbacks = 'held';
    const { endToEndId } = await ledger.bank.pay({
      reference: 'r1',
      brcode: await ledger.fundingCode(),
      amount: '3.00',
      payer,
    });
    await personalData.erase(holderIdOf(personalData.fingerprint('tax-id', STRANGER_CPF)));
    ledger.bank.releaseCallbacks();
    await voided(endToEndId, 'payer-tax-id-mismatch');
    ledger.bank.misbehaviour.callbacks = 'prompt';
    const again = await ledger.bank.pay({ reference: 'r2', brcode: await ledger.fundingCode(), amount: '4.00', payer });
    await voided(again.endToEndId, 'payer-tax-id-mismatch');
  });

  it('Callback lost, late, repeated or forged: everything that came is credited once, and nothing else', async () => {
    const code = await ledger.fundingCode();
    const { misbehaviour } = ledger.bank;
    misbehaviour.callbacks = 'lost';
    const lost = await ledger.pay(code, '1.00');
    misbehaviour.callbacks = 'held';
    const late = await ledger.pay(code, '2.00');
    misbehaviour.callbacks = 'repeated';
    const repeated = await ledger.pay(code, '4.00');
    await credited(repeated.endToEndId);
    await ledger.tick();
    for (const { endToEndId } of [lost, late]) await credited(endToEndId);
    ledger.bank.releaseCallbacks();
    await ledger.tick();
    const forged = 'E0000000020261120120000000000000';
    for (const notice of [forged, 'nonsense', '', '../cob']) {
      expect(await ledger.run(new ReceivePixCommand({ endToEndId: notice }, ledger.context()))).toEqual({
        depositId: null,
      });
    }
    expect((await ledger.balance()).running).toBe('7.00');
    expect(await ledger.events('deposit-')).toHaveLength(9);
  });

  it('endToEndId once for ever: twenty at once make one deposit', async () => {
    ledger.bank.misbehaviour.callbacks = 'lost';
    const { endToEndId } = await ledger.pay(await ledger.fundingCode(), '10.00');
    await Promise.all(
      Array.from({ length: 20 }, () => ledger.run(new ReceivePixCommand({ endToEndId }, ledger.context()))),
    );
    await credited(endToEndId);
    expect(await ledger.types('ledgerAccount-')).toEqual(['DepositPosted']);
  });

  it('a payment that cannot be taken in stops no other, and is taken in once it can be', async () => {
    ledger.bank.misbehaviour.callbacks = 'lost';
    const code = await ledger.fundingCode();
    const { bank } = ledger;
    const poison = await ledger.pay(code, '1.00');
    const getReceived = bank.getReceived.bind(bank);
    bank.getReceived = async (endToEndId) => {
      const pix = await getReceived(endToEndId);
      return pix && endToEndId === poison.endToEndId ? { ...pix, amount: 'one real' } : pix;
    };
    const paid = [await ledger.pay(code, '2.00'), await ledger.pay(code, '3.00')];
    await ledger.tick();
    for (const { endToEndId } of paid) await credited(endToEndId);
    ledger.now += 60 * 60_000;
    paid.push(await ledger.pay(code, '4.00'));
    await ledger.tick();
    await credited(paid[2]?.endToEndId ?? '');
    expect(
      (await ledger.engines.metrics.registry.getSingleMetric('ponte_pix_not_taken_in')?.get())?.values[0]?.value,
    ).toBe(1);
    bank.getReceived = getReceived;
    await ledger.tick();
    await credited(poison.endToEndId);
    expect((await ledger.balance()).running).toBe('10.00');
    expect(
      (await ledger.engines.metrics.registry.getSingleMetric('ponte_pix_not_taken_in')?.get())?.values[0]?.value,
    ).toBe(0);
  });

  it('a return that the bank does not answer, refuses, or is slow about ends once', async () => {
    const code = await ledger.fundingCode();
    const { misbehaviour } = ledger.bank;
    misbehaviour.fail('request-return', 'done');
    await voided((await ledger.pay(code, '1.00', STRANGER_CPF)).endToEndId, 'payer-tax-id-mismatch');
    misbehaviour.fail('request-return', 'unheard', 'error');
    const { endToEndId } = await ledger.pay(code, '2.00', STRANGER_CPF);
    misbehaviour.returns = 'processing';
    const slow = await ledger.pay(code, '4.00', STRANGER_CPF);
    await eventually(async () =>
      expect((await ledger.types('deposit-')).filter((type) => type === 'DepositVoided')).toHaveLength(3),
    );
    await eventually(async () => {
      await ledger.tick();
      expect((await ledger.types('deposit-')).filter((type) => type === 'DepositReturned')).toHaveLength(3);
    });
    for (const one of [endToEndId, slow.endToEndId]) await voided(one, 'payer-tax-id-mismatch');
    misbehaviour.returns = 'not-carried-out';
    const hard = await ledger.pay(code, '8.00', STRANGER_CPF);
    await eventually(async () =>
      expect(await ledger.types(`deposit-${depositIdOf(hard.endToEndId)}`)).toContain('DepositReturnFailed'),
    );
    misbehaviour.returns = 'prompt';
    await ledger.tick();
    expect((await ledger.types(`deposit-${depositIdOf(hard.endToEndId)}`)).slice(-2)).toEqual([
      'DepositReturnFailed',
      'DepositReturned',
    ]);
    expect(ledger.bank.totals().returned.toString()).toBe('15.00');
  });

  it('a holder with a passport has no tax id, even if the number looks like a CPF: no one who has that CPF is taken for them', async () => {
    ledger.passport = HOLDER_CPF;
    const code = await ledger.fundingCode();
    const pay = (payerTaxId: string | null) =>
      ledger.ask(SimulatePixPayment, { brcode: code, accountId: null, amount: '1.00', payerTaxId });
    await expect(pay(null)).rejects.toMatchObject({ code: 'missing-field', violations: [{ path: 'payer-tax-id' }] });
    await voided((await pay(HOLDER_CPF)).endToEndId, 'payer-tax-id-mismatch');
  });

  it('refuses sandbox payments with missing or invalid members', async () => {
    const code = await ledger.fundingCode();
    const pay = (change: object) =>
      ledger
        .ask(SimulatePixPayment, { brcode: code, accountId: null, amount: '1.00', payerTaxId: null, ...change })
        .then(
          () => 'paid',
          (error: unknown) => (error instanceof Refusal ? `${error.code} ${error.violations[0]?.path}` : String(error)),
        );
    expect(await pay({ brcode: `${code.slice(0, -4)}0000` })).toBe('invalid-format brcode');
    expect(await pay({ amount: null })).toBe('missing-field amount');
    expect(await pay({ amount: '0.00' })).toBe('amount-below-minimum amount');
    expect(await pay({ amount: '1.001' })).toBe('amount-scale-exceeded amount');
    expect(await pay({ payerTaxId: '52998224726' })).toBe('invalid-tax-id payer-tax-id');
    expect(await pay({ brcode: null })).toBe('missing-field brcode');
    expect(await pay({ brcode: null, accountId: PARENT })).toBe('account-access-denied account-id');
    expect(await pay({ brcode: null, accountId: ACCOUNT })).toBe('paid');
    const sealed = await ledger.engines.personalData.seal('anybody', HOLDER_CPF);
    expect(await pay({ payerTaxId: sealed })).toBe('paid');
    const commandId = ledger.freshId();
    const twice = () =>
      ledger.ask(SimulatePixPayment, { brcode: code, accountId: null, amount: '5.00', payerTaxId: null }, commandId);
    expect(await twice()).toEqual(await twice());
    await eventually(async () => expect((await ledger.balance()).running).toBe('7.00'));
  });
});

describe('holds and books', () => {
  it('64 parallel spends of a balance that is good for k: exactly k win', async () => {
    for (const k of [1, 7, 63]) {
      await fund(`${k}.00`);
      const before = await ledger.balance();
      const results = await Promise.allSettled(Array.from({ length: 64 }, (_, at) => hold(`k${k}-${at}`, '1.00')));
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(k);
      for (const result of results)
        if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'insufficient-balance' });
      expect(await ledger.balance()).toMatchObject({ running: before.running, available: '0.00' });
    }
  });

  it('forgotten holds are listed oldest first, without payments of charges', async () => {
    await fund('10.00');
    await hold('o1', '1.00');
    ledger.now += 1_000;
    await hold('o2', '2.00');
    await hold('o3', '3.00');
    await ledger.ask(ReleaseHold, { accountId: ACCOUNT, holdId: 'hold-o3', reason: 'test' });
    const { open } = await ledger.charge('o4');
    await credited((await ledger.pay((await open()).brcode)).endToEndId);
    const list = (placedBefore: string, limit = 10) =>
      ledger
        .ask(ListOpenHolds, { ownerKind: 'order', placedBefore, limit })
        .then(({ holds }) => holds.map(({ holdId }) => holdId));
    const later = addSeconds(isoTime(ledger.now), 1);
    await eventually(async () => expect(await list(later)).toEqual(['hold-o1', 'hold-o2']));
    expect(await list(later, 1)).toEqual(['hold-o1']);
    expect(await list(isoTime(ledger.now))).toEqual(['hold-o1']);
  });

  it('the books name every house account, add up to zero, and survive a restart and a second reading of the log', async () => {
    await fund('100.00');
    await hold('o1', '60.00');
    await exchange('o1', 'hold-o1', '60.00');
    const expected = [
      { account: 'house:issuance', asset: 'eth-base/brlv', amount: '-60.000000000000000000' },
      { account: 'house:reserve', asset: 'fiat/brl', amount: '60.00' },
      { account: 'house:settlement', asset: 'fiat/brl', amount: '-100.00' },
    ];
    const books = () =>
      eventually(async () => {
        const found = await ledger.ask(GetTrialBalance, { customers: true });
        expect(found.lines.filter(({ account }) => account.startsWith('house:'))).toEqual(expected);
        return found;
      });
    const before = await books();
    expect(before.customers).toEqual(
      expect.arrayContaining([
        { asset: 'fiat/brl', amount: '40.00' },
        { asset: 'eth-base/brlv', amount: '60.000000000000000000' },
      ]),
    );
    expect(before.sums.map(({ amount }) => Number(amount))).toEqual([0, 0]);
    await ledger.restart();
    expect(await books()).toEqual(before);
    await fund('1.00');
    expect(await ledger.balance()).toMatchObject({ running: '41.00' });
    expect(
      (
        await ledger.ask(PlaceHold, {
          accountId: ACCOUNT,
          hold: { holdId: 'h', owner: { kind: 'order', id: 'o9' }, asset: 'fiat/brl', amount: '41.00' },
        })
      ).holdId,
    ).toBe('h');
    expected[2] = { account: 'house:settlement', asset: 'fiat/brl', amount: '-101.00' };
    await books();
  });

  it('the books tell their place also where the log had nothing for them', async () => {
    await ledger.store.append('order-unknown', -1, anEvent());
    const head = await ledger.store.head();
    const checkpoints = createViewCheckpoints(ledger.engines.views);
    await eventually(async () => expect(await checkpoints.load(TRIAL_BALANCE_READER)).toBe(head));
  });

  it('lists page newest first and filter', async () => {
    const code = await ledger.fundingCode();
    for (let at = 0; at < 5; at += 1) {
      ledger.now += 1_000;
      const { endToEndId } = await ledger.pay(code, `${at + 1}.00`, at === 2 ? STRANGER_CPF : null);
      await (at === 2 ? voided(endToEndId, 'payer-tax-id-mismatch') : credited(endToEndId));
    }
    const filters = { assets: ['fiat/brl'] as const, status: null, type: null, endToEndId: null, txHash: null };
    const page = (change: object, cursor: { createdAt: string; id: string } | null = null, limit = 2) =>
      ledger.ask(ListDeposits, {
        accountId: ACCOUNT,
        filters: { ...filters, ...change },
        page: { limit, cursor, createdFrom: null, createdTo: null },
      });
    await eventually(async () =>
      expect((await page({ status: 'credited' }, null, 10)).items.map(({ amount }) => amount)).toEqual([
        '5.00',
        '4.00',
        '2.00',
        '1.00',
      ]),
    );
    const amounts: string[] = [];
    let cursor = null;
    do {
      const { items, next } = await page({}, cursor);
      amounts.push(...items.map(({ amount }) => amount));
      cursor = next;
    } while (cursor !== null);
    expect(amounts).toEqual(['5.00', '4.00', '3.00', '2.00', '1.00']);
    expect((await page({ assets: ['eth-base/usdc', 'eth-mainnet/usdc'] })).items).toEqual([]);
    expect((await page({ assets: [] })).items).toEqual([]);
    expect((await page({ assets: ['fiat/brl', 'fiat/usd'] }, null, 3)).items.map(({ amount }) => amount)).toEqual([
      '5.00',
      '4.00',
      '3.00',
    ]);
    expect((await page({ type: 'ted' })).items).toEqual([]);
  });

  it('no personal datum stands in clear in an event, a log line, a refusal or a file', async () => {
    await fund('1.00');
    await voided(
      (await ledger.pay(await ledger.fundingCode(), '2.00', STRANGER_CPF)).endToEndId,
      'payer-tax-id-mismatch',
    );
    const payers = [ledger.bank.invent(STRANGER_CPF, null), ledger.bank.invent(HOLDER_CPF, null)];
    const canaries = [
      HOLDER_CPF,
      STRANGER_CPF,
      HOLDER_NAME,
      ...payers.flatMap(({ accountNumber, legalName }) => [accountNumber, legalName]),
    ];
    ledger.bank.misbehaviour.fail('get-received', 'error');
    await ledger.tick();
    const files = readdirSync(place.path).map((name) => readFileSync(join(place.path, name)).toString('latin1'));
    const sinks = [JSON.stringify(await ledger.events()), ledger.lines.join(''), ...files];
    for (const canary of canaries) {
      const latin = Buffer.from(canary, 'utf8').toString('latin1');
      for (const sink of sinks) expect(sink.includes(canary) || sink.includes(latin)).toBe(false);
    }
  });
});
