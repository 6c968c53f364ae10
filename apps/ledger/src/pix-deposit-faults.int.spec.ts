import { eventually } from '@ponte/testing';
import { RECEIVED_PIX_READER } from './pix-charge/poll-received-pix.command';
import { ReceivePixCommand } from './pix-charge/receive-pix.command';
import { depositIdOf } from './deposit/deposit.state';
import { STRANGER_CPF } from './testing/ledger-under-test';
import { ledgerForEachTest } from './testing/ledger-for-each-test';
import { measured } from './testing/measured';

const ledger = ledgerForEachTest({ booksBalance: true });

describe('Deposits by Pix', () => {
  it('are credited once and only for real payments, whether callbacks are lost, late, repeated or forged', async () => {
    const code = await ledger.fundingCode();
    const { misbehaviour } = ledger.bank;
    misbehaviour.callbacks = 'lost';
    const lost = await ledger.pay(code, '1.00');
    misbehaviour.callbacks = 'held';
    const late = await ledger.pay(code, '2.00');
    misbehaviour.callbacks = 'repeated';
    const repeated = await ledger.pay(code, '4.00');
    await ledger.credited(repeated.endToEndId);
    await ledger.tick();
    for (const { endToEndId } of [lost, late]) await ledger.credited(endToEndId);
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

  it('are created once per endToEndId, even if twenty callbacks arrive at once', async () => {
    ledger.bank.misbehaviour.callbacks = 'lost';
    const { endToEndId } = await ledger.pay(await ledger.fundingCode(), '10.00');
    await Promise.all(
      Array.from({ length: 20 }, () => ledger.run(new ReceivePixCommand({ endToEndId }, ledger.context()))),
    );
    await ledger.credited(endToEndId);
    expect(await ledger.types('ledgerAccount-')).toEqual(['DepositPosted']);
  });

  it('are not held up by a payment that cannot be recorded, which is recorded once that is possible', async () => {
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
    for (const { endToEndId } of paid) await ledger.credited(endToEndId);
    ledger.now += 60 * 60_000;
    paid.push(await ledger.pay(code, '4.00'));
    await ledger.tick();
    await ledger.credited(paid[2]?.endToEndId ?? '');
    const failing = () => measured(ledger, 'ponte_bank_entries_failing', RECEIVED_PIX_READER);
    expect(await failing()).toBe(1);
    bank.getReceived = getReceived;
    await ledger.tick();
    await ledger.credited(poison.endToEndId);
    expect((await ledger.balance()).running).toBe('10.00');
    expect(await failing()).toBe(0);
  });

  it('are returned once if the bank does not answer, refuses, or takes its time', async () => {
    const code = await ledger.fundingCode();
    const { misbehaviour } = ledger.bank;
    misbehaviour.fail('request-return', 'done');
    await ledger.voided((await ledger.pay(code, '1.00', STRANGER_CPF)).endToEndId, 'payer-tax-id-mismatch');
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
    for (const one of [endToEndId, slow.endToEndId]) await ledger.voided(one, 'payer-tax-id-mismatch');
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
});
