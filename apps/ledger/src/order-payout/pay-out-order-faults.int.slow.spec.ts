import type { PixPayee } from '@ponte/contracts';
import { NO_CHARGES, PayOutOrder, PlaceHold, PostExchange, ResolvePixKey } from '@ponte/contracts';
import { derivedId } from '@ponte/kernel';
import type { FaultKind } from '@ponte/testing';
import { eventually } from '@ponte/testing';
import { ACCOUNT, HOLDER_CPF, PARENT } from '../testing/ledger-under-test';
import { paymentIdOf } from '../withdrawal/withdrawal.state';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';

beforeEach(() => {
  process.env['LEDGER_WITHDRAWAL_LIMITS'] = 'fiat/brl=1.00/1';
});
afterEach(() => {
  delete process.env['LEDGER_WITHDRAWAL_LIMITS'];
});
const ledger = ledgerForEachTest();
beforeEach(() => ledger.fund('1000.00'));

const ORDER = derivedId('test', 'an order');
const WITHDRAWAL = derivedId('test', 'its payout');
const HOLD = derivedId('test', 'its delivery hold');

const resolve = async (text: string, accountId = ACCOUNT) => {
  const key = await ledger.engines.personalData.seal('key-in-transit', text);
  return ledger.ask(ResolvePixKey, { accountId, key });
};
async function ownKey(text = HOLDER_CPF): Promise<PixPayee> {
  const resolved = await resolve(text);
  if (!resolved?.ownedByHolder) throw new Error('the key is not the holder’s');
  return resolved.target;
}

/** Sells BRLV that was bought before; the BRL is held for the payout in the same event. */
async function sold(amount: string): Promise<void> {
  const [brl, brlv] = [
    { asset: 'fiat/brl', amount } as const,
    { asset: 'eth-base/brlv', amount: `${amount}${'0'.repeat(16)}` } as const,
  ];
  const convert = async (orderId: string, debit: typeof brl | typeof brlv, credit: typeof brl | typeof brlv) => {
    const holdId = derivedId('test hold', orderId);
    await ledger.ask(PlaceHold, {
      accountId: ACCOUNT,
      hold: { holdId, owner: { kind: 'order', id: orderId }, ...debit },
    });
    const deliveryHold =
      credit === brl ? { holdId: HOLD, owner: { kind: 'withdrawal', id: WITHDRAWAL } as const, ...credit } : null;
    await ledger.ask(PostExchange, {
      ...{ accountId: ACCOUNT, orderId, holdId, debit, credit, deliveryHold },
      custody: true,
      charges: NO_CHARGES,
    });
  };
  await convert(derivedId('test', 'a purchase'), brl, brlv);
  await convert(ORDER, brlv, brl);
}

const payOut = (amount: string, target: PixPayee) =>
  ledger.ask(PayOutOrder, {
    ...{ withdrawalId: WITHDRAWAL, orderId: ORDER, accountId: ACCOUNT, parentId: PARENT, createdBy: PARENT },
    ...{ createdByApiKey: 'ak', holdId: HOLD, amount, target },
  });

const KINDS: readonly FaultKind[] = ['refuse', 'lose-reply', 'crash-after-append'];
const WAY = ['WithdrawalCreated', 'WithdrawalProcessingStarted', 'WithdrawalPosted', 'WithdrawalCompleted'];
const BACK = ['WithdrawalRolledBack', 'HoldReleased'];
const CASES = [
  ...WAY.flatMap((type) => KINDS.map((kind) => [kind, type, '10.00', 'completed'] as const)),
  ...BACK.flatMap((type) => KINDS.map((kind) => [kind, type, '10.95', 'rolled-back'] as const)),
];

describe('The payout of an order, after a fault at an append', () => {
  it.each(CASES)('%s at %s with %s BRL ends %s, once', async (kind, type, amount, state) => {
    const target = await ownKey();
    await sold(amount);
    const { struck } = ledger.store.faults.next({
      kind,
      match: (_, events) => events.some((one) => one.type === type),
    });
    const restarted = struck.then(async () => {
      if (kind === 'crash-after-append') await ledger.restart();
    });
    await payOut(amount, target).catch(() => undefined);
    await eventually(() => payOut(amount, target));
    await restarted;
    await eventually(async () => {
      await ledger.tick();
      expect(await ledger.withdrawal(WITHDRAWAL)).toMatchObject({ state });
      expect((await ledger.balance()).held).toBe('0.00');
    });
    expect((await ledger.balance()).available).toBe(state === 'completed' ? '990.00' : '1000.00');
    expect(ledger.payouts.totals().completed).toEqual(state === 'completed' ? [paymentIdOf(WITHDRAWAL)] : []);
    expect((await ledger.types('withdrawal-')).filter((one) => one === 'WithdrawalCreated')).toHaveLength(1);
    await eventually(() => ledger.assertTrialBalance());
  });
});
