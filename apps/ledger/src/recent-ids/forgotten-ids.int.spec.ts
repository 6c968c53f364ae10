import { PlaceHold, ReleaseHold, ReturnChargePayment } from '@ponte/contracts';
import { isoTime } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { depositIdOf } from '../deposit/deposit.state';
import { PostHouseLossCommand } from '../house-loss/post-house-loss.command';
import { LedgerAccounts } from '../ledger-account/ledger-accounts.repository';
import { AdvanceWithdrawalCommand } from '../withdrawal/advance-withdrawal.command';
import { SettleTakeBack } from '../take-back/settle-take-back.service';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { ACCOUNT, STRANGER_CPF } from '../testing/ledger-under-test';

const ledger = ledgerForEachTest({ booksBalance: true });
const DAY_MS = 24 * 60 * 60_000;

const hold = (orderId: string, amount: string) =>
  ledger.ask(PlaceHold, {
    accountId: ACCOUNT,
    hold: { holdId: `hold-${orderId}`, owner: { kind: 'order', id: orderId }, asset: 'fiat/brl', amount },
  });
const release = (orderId: string) =>
  ledger.ask(ReleaseHold, { accountId: ACCOUNT, holdId: `hold-${orderId}`, reason: 'order-rolled-back', placed: true });
/** The account forgets the ids of what it did before. */
async function forget(): Promise<void> {
  ledger.now += 40 * DAY_MS;
  await hold('later', '0.01');
  await release('later');
  // Many commands later, the account does not know their ids either.
  const accounts = ledger.part(LedgerAccounts);
  jest
    .spyOn(accounts, 'execute')
    .mockImplementation(async (id, command) => (await accounts.handle(id, command, ledger.context())).state);
}
const types = () => ledger.types(`ledgerAccount-${ACCOUNT}`);
async function changesNothing(work: () => Promise<unknown>): Promise<void> {
  const before = await types();
  await work();
  expect(await types()).toEqual(before);
}

describe('A step that is repeated after the account forgot its ids', () => {
  it('finishes if its exchange was posted', async () => {
    await ledger.fund('100.00');
    await hold('o1', '60.00');
    await ledger.exchange('o1', 'hold-o1', '60.00');
    await forget();
    await changesNothing(() => ledger.exchange('o1', 'hold-o1', '60.00'));
  });

  it('says that the hold is not open if it was released instead', async () => {
    await ledger.fund('100.00');
    await hold('o1', '60.00');
    await release('o1');
    await forget();
    await expect(ledger.exchange('o1', 'hold-o1', '60.00')).rejects.toMatchObject({ code: 'hold-not-open' });
    await changesNothing(() => release('o1'));
  });

  it('is still retried if the hold was never placed', async () => {
    await ledger.fund('100.00');
    await forget();
    await expect(ledger.exchange('o1', 'hold-o1', '60.00')).rejects.toMatchObject({ code: 'service-unavailable' });
  });

  it('posts a hold that is still open', async () => {
    await ledger.fund('100.00');
    await hold('o1', '60.00');
    await forget();
    await ledger.exchange('o1', 'hold-o1', '60.00');
    expect((await types()).at(-1)).toBe('ExchangePosted');
  });

  it('returns the payment of a charge once', async () => {
    await ledger.fund('1.00');
    const { txid, open } = await ledger.charge('o1');
    await ledger.pay((await open()).brcode);
    await eventually(async () => expect(await ledger.outcome(txid)).toMatchObject({ state: 'paid' }));
    const back = () => ledger.ask(ReturnChargePayment, { txid, reason: 'order-rolled-back' });
    await back();
    await forget();
    await changesNothing(back);
  });

  it('finishes if the hold of a withdrawal that was rolled back is released', async () => {
    await ledger.fund('100.00');
    const { id: withdrawalId } = await ledger.withdraw('10.95', { pixKey: STRANGER_CPF });
    await eventually(async () => {
      await ledger.tick();
      expect((await ledger.withdrawal(withdrawalId))?.state).toBe('rolled-back');
      expect((await ledger.balance()).held).toBe('0.00');
    });
    await forget();
    await changesNothing(() => ledger.run(new AdvanceWithdrawalCommand({ withdrawalId }, ledger.context())));
  });

  it('takes a payment back once', async () => {
    await ledger.fund('1.00');
    const { endToEndId } = await ledger.pay(await ledger.fundingCode(), '50.00');
    await ledger.credited(endToEndId);
    await ledger.takeBack(endToEndId);
    await eventually(async () => expect((await types()).at(-1)).toBe('DepositReversed'));
    await forget();
    await changesNothing(() => ledger.part(SettleTakeBack).reverse(depositIdOf(endToEndId), ACCOUNT, ledger.context()));
  });

  it('posts a loss of the house once', async () => {
    await ledger.fund('1.00');
    const loss = {
      ...{ accountId: ACCOUNT, transactionId: 't1', causeId: 'event', causedAt: isoTime(ledger.now) },
      loss: { asset: 'eth-base/brlv', amount: '5.000000000000000000' },
      path: { from: 'loss', to: 'issuance' },
    } as const;
    const post = () => ledger.run(new PostHouseLossCommand({ kind: 'post-loss', loss }, ledger.context()));
    await post();
    await forget();
    await changesNothing(post);
  });
});
