import { systemContext } from '@ponte/event-sourcing';
import { eventually } from '@ponte/testing';
import { CheckRefusedPayoutsCommand } from '../refused-payout/check-refused-payouts.command';
import { CHECK_AGAIN_SECONDS } from '../refused-payout/refused-payout.domain';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { ACCOUNT, STRANGER_CPF } from '../testing/ledger-under-test';
import { paymentIdOf } from '../withdrawal/withdrawal.state';

const ledger = ledgerForEachTest({ booksBalance: true });
beforeEach(() => ledger.fund('1000.00'));

const MONDAY = '2026-11-23T12:00:00.000Z';
const TED = {
  ...{ bankCode: '756', branchNumber: '1', accountNumber: '123456-7' },
  ...{ accountHolderName: 'Ana Duarte', accountHolderTaxId: STRANGER_CPF },
};
const state = async (id: string) => (await ledger.withdrawal(id))?.state;
const ticksUntil = (work: () => Promise<void>): Promise<void> =>
  eventually(async () => {
    await ledger.tick();
    await work();
  });

function send(withdrawalId: string): Promise<unknown> {
  const payee = ledger.payouts.directory.current({ kind: 'cpf', value: STRANGER_CPF });
  const paymentId = paymentIdOf(withdrawalId);
  return ledger.payouts.send({ paymentId, amount: '10.00', method: 'ted', pixKey: null, payee });
}

/** A TED of 10.00 that waits for banking hours, although the bank has it, as after a restore of an older log. */
async function knownToTheBank(fate: 'prompt' | 'refused' = 'prompt'): Promise<string> {
  const { id } = await ledger.withdraw('10.00', TED, { method: 'ted' });
  ledger.payouts.fateOf = () => fate;
  await send(id);
  return id;
}

describe('A withdrawal that fails a check before it is started, although the bank has its payment,', () => {
  it('is completed if the bank made the payment', async () => {
    const id = await knownToTheBank();
    ledger.status.set(ACCOUNT, 'frozen');
    ledger.now = Date.parse(MONDAY);
    await ticksUntil(async () => expect(await state(id)).toBe('completed'));
    expect(await ledger.balance()).toEqual({ running: '990.00', available: '990.00', held: '0.00' });
  });

  it('is completed if the owner of its Pix key changed', async () => {
    const get = ledger.payouts.get.bind(ledger.payouts);
    jest.spyOn(ledger.payouts, 'get').mockImplementation(async (paymentId) => {
      const payee = ledger.payouts.directory.current({ kind: 'cpf', value: STRANGER_CPF });
      await ledger.payouts.send({ paymentId, amount: '10.00', method: 'pix', pixKey: null, payee });
      return get(paymentId);
    });
    const { id } = await ledger.withdraw('10.00', { pixKey: 'moving@pix.example' });
    await ticksUntil(async () => expect(await state(id)).toBe('completed'));
    expect((await ledger.balance()).running).toBe('990.00');
  });

  it('is rolled back as refused by the bank if the bank refused the payment', async () => {
    const id = await knownToTheBank('refused');
    ledger.status.set(ACCOUNT, 'frozen');
    ledger.now = Date.parse(MONDAY);
    await ticksUntil(async () => expect(await state(id)).toBe('rolled-back'));
    expect(await ledger.withdrawal(id)).toMatchObject({ failure: { code: 'bank-refused' } });
    expect(await ledger.types(`withdrawal-${id}`)).toContain('WithdrawalProcessingStarted');
    await ticksUntil(async () => expect((await ledger.balance()).available).toBe('1000.00'));
  });

  it('waits until the bank answers', async () => {
    const id = await knownToTheBank();
    let reads = 0;
    ledger.payouts.readTimesOut = () => (reads += 1) > 0;
    ledger.status.set(ACCOUNT, 'frozen');
    ledger.now = Date.parse(MONDAY);
    await ticksUntil(async () => expect(reads).toBeGreaterThan(1));
    expect(await state(id)).toBe('created');
    expect((await ledger.balance()).held).toBe('10.00');
    ledger.payouts.readTimesOut = () => false;
    await ticksUntil(async () => expect(await state(id)).toBe('completed'));
  });
});

it('A payment that the bank makes after its unstarted withdrawal was rolled back is a loss of the house', async () => {
  const { id } = await ledger.withdraw('10.00', TED, { method: 'ted' });
  ledger.status.set(ACCOUNT, 'frozen');
  ledger.now = Date.parse(MONDAY);
  await ticksUntil(async () => expect(await state(id)).toBe('rolled-back'));
  await ticksUntil(async () => expect((await ledger.balance()).available).toBe('1000.00'));
  // As after a restore of an older log: an earlier request reaches the bank only now.
  await send(id);
  ledger.now += CHECK_AGAIN_SECONDS[0] * 1000;
  await ticksUntil(async () => {
    await ledger.run(new CheckRefusedPayoutsCommand(systemContext(ledger.engines.ids, 'test')));
    expect((await ledger.types(`withdrawal-${id}`)).at(-1)).toBe('RefusedPayoutPosted');
  });
  expect(await state(id)).toBe('rolled-back');
  expect((await ledger.balance()).available).toBe('1000.00');
});

it('A withdrawal that passes its checks is started without a read at the bank', async () => {
  ledger.payouts.fateOf = () => 'unheard';
  ledger.payouts.readTimesOut = () => true;
  const { id } = await ledger.withdraw('10.00', { pixKey: STRANGER_CPF });
  await ticksUntil(async () => expect(await state(id)).toBe('processing'));
});
