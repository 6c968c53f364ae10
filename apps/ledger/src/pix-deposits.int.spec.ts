import type { PixCoordinates } from '@ponte/contracts';
import { GetDeposit, SimulatePixPayment, holderIdOf } from '@ponte/contracts';
import { Refusal, isoTime } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { depositIdOf } from './deposit/deposit.state';
import { ACCOUNT, HOLDER_CPF, HOLDER_NAME, PARENT, STRANGER_CPF } from './testing/ledger-under-test';
import { ledgerForEachTest } from './testing/ledger-for-each-test';

const ledger = ledgerForEachTest({ booksBalance: true });

describe('Deposits by Pix', () => {
  it("are credited once, available and listed, if the holder pays the account's code", async () => {
    const { endToEndId, amount, settledAt } = await ledger.pay(await ledger.fundingCode(), '100.00');
    expect(endToEndId).toMatch(/^E[0-9A-Z]{8}\d{12}[a-zA-Z0-9]{11}$/);
    expect([amount, settledAt]).toEqual(['100.00', isoTime(ledger.now)]);
    await ledger.credited(endToEndId);
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

  it('are voided and returned if another person paid', async () => {
    const { endToEndId } = await ledger.pay(await ledger.fundingCode(), '100.00', STRANGER_CPF);
    await ledger.voided(endToEndId, 'payer-tax-id-mismatch');
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

  it('are returned if their target is unknown or their account is closed', async () => {
    const code = await ledger.fundingCode();
    const unknown = await ledger.fundingCode(PARENT);
    await ledger.voided((await ledger.pay(unknown, '1.00', HOLDER_CPF)).endToEndId, 'unknown-target');
    ledger.status.set(ACCOUNT, 'closed');
    await ledger.voided((await ledger.pay(code, '2.00')).endToEndId, 'account-not-active');
  });

  it('count a payer whom the bank does not name as a mismatch', async () => {
    const payer = { ...ledger.bank.invent(HOLDER_CPF, null), taxId: null };
    const { endToEndId } = await ledger.bank.pay({
      reference: 'r1',
      brcode: await ledger.fundingCode(),
      amount: '3.00',
      payer,
    });
    await ledger.voided(endToEndId, 'payer-tax-id-mismatch');
  });

  it('are received from an erased person who pays again, as from any other payer', async () => {
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
    await ledger.voided(endToEndId, 'payer-tax-id-mismatch');
    ledger.bank.misbehaviour.callbacks = 'prompt';
    const again = await ledger.bank.pay({ reference: 'r2', brcode: await ledger.fundingCode(), amount: '4.00', payer });
    await ledger.voided(again.endToEndId, 'payer-tax-id-mismatch');
  });

  it("do not match a holder with a passport, even if the passport number looks like the payer's CPF", async () => {
    ledger.passport = HOLDER_CPF;
    const code = await ledger.fundingCode();
    const pay = (payerTaxId: string | null) =>
      ledger.ask(SimulatePixPayment, { brcode: code, accountId: null, amount: '1.00', payerTaxId });
    await expect(pay(null)).rejects.toMatchObject({ code: 'missing-field', violations: [{ path: 'payer-tax-id' }] });
    await ledger.voided((await pay(HOLDER_CPF)).endToEndId, 'payer-tax-id-mismatch');
  });

  it('are refused by the sandbox if fields are missing or invalid', async () => {
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
    expect(await pay({ brcode: null, accountId: PARENT })).toBe('account-not-active account-id');
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
