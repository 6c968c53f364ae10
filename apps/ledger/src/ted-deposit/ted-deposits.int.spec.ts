import { GetBalance, SimulateDeposit } from '@ponte/contracts';
import { compactId, derivedId } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { ACCOUNT, HOLDER_CPF, STRANGER_CPF } from '../testing/ledger-under-test';
import type { IncomingTeds } from './incoming-teds.port';

const ledger = ledgerForEachTest();

const payer = (taxId: string | null) => ({
  taxId,
  legalName: 'Ana Secret',
  bankCode: '00000000',
  branchCode: '1584',
  accountNumber: '210169-6',
  accountType: 'checking',
});
const ted = (identifier: string, taxId: string | null) =>
  ledger.teds.pay({ reference: ledger.freshId(), identifier, amount: '50.00', payer: payer(taxId) });

describe('A TED that reaches our bank', () => {
  it('is credited once to the account that it names, if the holder sent it', async () => {
    const { tedId } = await ted(compactId(ACCOUNT), HOLDER_CPF);
    await eventually(async () => {
      await ledger.tick();
      expect(await ledger.balance()).toMatchObject({ running: '50.00', available: '50.00' });
    });
    await ledger.tick();
    expect(await ledger.deposits()).toMatchObject([
      { type: 'ted', status: 'credited', endToEndId: tedId, amount: '50.00', asset: 'fiat/brl' },
    ]);
    expect(JSON.stringify(await ledger.events())).not.toContain('Secret');
    await eventually(() => ledger.assertTrialBalance());
  });

  it('is credited even if the bank does not return a TED that it lists on an earlier page', async () => {
    const bank = ledger.teds as unknown as IncomingTeds;
    const list = bank.list.bind(bank);
    jest
      .spyOn(bank, 'list')
      .mockImplementation(async ({ page, ...window }) =>
        page === 0 ? { ids: ['missing'], lastPage: false } : list({ ...window, page: page - 1 }),
      );
    await ted(compactId(ACCOUNT), HOLDER_CPF);
    await eventually(async () => {
      await ledger.tick().catch(() => undefined);
      expect((await ledger.balance()).running).toBe('50.00');
    });
    await expect(ledger.tick()).rejects.toMatchObject({ code: 'rail-unavailable' });
  });

  it.each([
    ['someone else sent it', () => compactId(ACCOUNT), STRANGER_CPF, 'payer-tax-id-mismatch'],
    ['the bank does not name its sender', () => compactId(ACCOUNT), null, 'payer-tax-id-mismatch'],
    ['it names no account', () => '', HOLDER_CPF, 'unknown-target'],
    ['it names an account that does not exist', () => compactId(derivedId('unknown')), HOLDER_CPF, 'unknown-target'],
  ])('is returned when %s', async (_case, identifier, taxId, reason) => {
    await ted(identifier(), taxId);
    await eventually(async () => {
      await ledger.tick();
      expect(ledger.teds.totals().returned.toString()).toBe('50.00');
    });
    const [, voided] = await ledger.events('deposit-');
    expect(voided?.data).toMatchObject({ reason });
    expect(await ledger.balance()).toMatchObject({ running: '0.00' });
    await eventually(() => ledger.assertTrialBalance());
  });
});

describe('A sandbox deposit', () => {
  const simulate = (type: 'pix' | 'ted' | 'manual-fx', commandId = ledger.freshId()) =>
    ledger.ask(SimulateDeposit, { accountId: ACCOUNT, type, amount: '20.00', payerTaxId: null }, commandId);

  it('arrives by every rail, once per command', async () => {
    const commandId = ledger.freshId();
    expect(await simulate('ted', commandId)).toEqual(await simulate('ted', commandId));
    await simulate('pix');
    expect(await simulate('manual-fx')).toMatchObject({ asset: 'fiat/usd' });
    await eventually(async () => {
      await ledger.tick();
      expect((await ledger.balance()).running).toBe('40.00');
    });
    expect(await ledger.ask(GetBalance, { accountId: ACCOUNT, assets: ['fiat/usd'] })).toMatchObject({
      running: '20.00',
    });
  });

  it('is refused at the field that is wrong', async () => {
    const refused = async (change: object) => {
      const payload = { accountId: ACCOUNT, type: 'ted', amount: '20.00', payerTaxId: null, ...change } as const;
      await expect(ledger.ask(SimulateDeposit, payload)).rejects.toMatchObject({ violations: [expected(change)] });
    };
    const expected = ({ amount }: { amount?: string }) =>
      amount === undefined
        ? { code: 'missing-field', path: 'payer-tax-id' }
        : { code: 'amount-scale-exceeded', path: 'amount' };
    await refused({ amount: '1.001' });
    await refused({ type: 'pix', amount: '1.001' });
    await refused({ type: 'manual-fx', amount: '1.001' });
    await refused({ accountId: derivedId('requested only') });
  });
});
