import { ClosePixCharge } from '@ponte/contracts';
import { Unavailable, derivedId } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { AdvanceDepositHandler } from '../deposit/advance-deposit.command';
import { depositIdOf } from '../deposit/deposit.state';
import { Deposits } from '../deposit/deposits.repository';
import { ValidateDeposit } from '../deposit/validate-deposit.service';
import { LedgerAccounts } from '../ledger-account/ledger-accounts.repository';
import { paymentHoldId } from '../pix-charge/pix-charge.decider';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { ACCOUNT } from '../testing/ledger-under-test';

const ledger = ledgerForEachTest({ booksBalance: true });

type Reached = 'confirmed' | 'posted' | 'credited';

/** What another process did with the payment before it died: posted it, and perhaps credited it. */
async function processed(depositId: string, reached: Reached, orderId: string | null = 'o1'): Promise<void> {
  const step = (name: string) => ledger.context(derivedId('another process', name, depositId));
  const credit = { asset: 'fiat/brl', amount: '50.00' } as const;
  const hold =
    orderId === null
      ? null
      : {
          ...{ holdId: paymentHoldId(depositId), owner: { kind: 'order', id: orderId } as const },
          ...credit,
        };
  const posting = (now: string) =>
    ({ kind: 'post-deposit', accountId: ACCOUNT, depositId, credit, hold, now }) as const;
  if (reached === 'confirmed') return;
  await ledger.part(LedgerAccounts).execute(ACCOUNT, posting, step('post'));
  if (reached === 'posted') return;
  await ledger.part(Deposits).execute(depositId, (now) => ({ kind: 'credit', now }), step('credit'));
}

/** A payment whose deposit stays confirmed, because its account is frozen. */
async function confirmed(brcode: string): Promise<{ endToEndId: string; depositId: string }> {
  ledger.status.set(ACCOUNT, 'frozen');
  const advance = jest.spyOn(AdvanceDepositHandler.prototype, 'execute');
  const { endToEndId } = await ledger.pay(brcode, '50.00');
  const depositId = depositIdOf(endToEndId);
  await eventually(async () =>
    expect(await ledger.types(`deposit-${depositId}`)).toEqual(['DepositCreated', 'DepositConfirmed']),
  );
  await Promise.all(advance.mock.results.map(({ value }) => value as Promise<void>));
  advance.mockRestore();
  return { endToEndId, depositId };
}

describe('A payment that the bank takes back before it is posted', () => {
  it.each([null, 'o1'])(
    'is never posted, even by a process that had read it before and dies right after (order %s)',
    async (orderId) => {
      const brcode = orderId ? (await (await ledger.charge(orderId)).open()).brcode : await ledger.fundingCode();
      const { endToEndId, depositId } = await confirmed(brcode);
      await ledger.takeBack(endToEndId);
      await eventually(async () => expect(ledger.freezes).toHaveLength(1));
      await processed(depositId, 'posted', orderId);
      await ledger.restart();
      for (let round = 0; round < 3; round += 1) await ledger.tick();
      expect(await ledger.balance()).toEqual({ running: '0.00', available: '0.00', held: '0.00' });
      expect((await ledger.types(`deposit-${depositId}`)).at(-1)).toBe('DepositVoided');
    },
  );
});

it.each([true, false])(
  'A charge whose payment is taken back before it is validated can be closed, if the bank names the payment or not (%s)',
  async (isNamed) => {
    const { txid, open } = await ledger.charge('o1');
    const { brcode } = await open();
    const validate = jest.spyOn(ValidateDeposit.prototype, 'validate');
    validate.mockRejectedValue(new Unavailable('service-unavailable'));
    const { endToEndId } = await ledger.pay(brcode, '50.00');
    const types = () => ledger.types(`deposit-${depositIdOf(endToEndId)}`);
    await eventually(async () => expect(await types()).toEqual(['DepositCreated']));
    const getCharge = ledger.bank.getCharge.bind(ledger.bank);
    jest.spyOn(ledger.bank, 'getCharge').mockImplementation(async (id) => {
      const charge = await getCharge(id);
      return charge && (isNamed ? charge : { ...charge, endToEndIds: [] });
    });
    await ledger.takeBack(endToEndId);
    await eventually(async () => expect(await types()).toEqual(['DepositCreated', 'DepositVoided']));
    validate.mockRestore();
    await eventually(async () =>
      expect(await ledger.ask(ClosePixCharge, { txid }).catch(() => undefined)).toEqual({ state: 'closed' }),
    );
    expect(await ledger.balance()).toEqual({ running: '0.00', available: '0.00', held: '0.00' });
  },
);

it('A charge whose payment was refused, because its account was closed, can be closed', async () => {
  const { txid, open } = await ledger.charge('o1');
  const { brcode } = await open();
  ledger.status.set(ACCOUNT, 'closed');
  await ledger.voided((await ledger.pay(brcode)).endToEndId, 'account-not-active');
  const getCharge = ledger.bank.getCharge.bind(ledger.bank);
  jest.spyOn(ledger.bank, 'getCharge').mockImplementation(async (id) => {
    const charge = await getCharge(id);
    return charge && { ...charge, endToEndIds: [] };
  });
  expect(await ledger.ask(ClosePixCharge, { txid })).toEqual({ state: 'closed' });
});

describe('The payment of a charge that the bank takes back before it is held for its order', () => {
  it.each<Reached>(['confirmed', 'posted', 'credited'])(
    '(%s) closes the charge, so that the order ends, and leaves no hold and no debt',
    async (reached) => {
      const { txid, open } = await ledger.charge('o1');
      const { brcode } = await open();
      const { endToEndId, depositId } = await confirmed(brcode);
      await processed(depositId, reached);
      await ledger.takeBack(endToEndId);
      await eventually(async () => {
        expect(await ledger.outcome(txid)).toEqual({ state: 'closed' });
        expect(await ledger.balance()).toEqual({ running: '0.00', available: '0.00', held: '0.00' });
      });
      const freeze = {
        accountId: ACCOUNT,
        reason: 'pix-taken-back',
        ...(reached === 'confirmed' && { nothingLost: true }),
      };
      await eventually(async () => expect(ledger.freezes).toEqual([freeze]));
      await ledger.restart();
      await ledger.tick();
      expect(await ledger.ask(ClosePixCharge, { txid })).toEqual({ state: 'closed' });
      expect((await ledger.types('pixCharge-')).slice(-2)).toEqual(['PixChargePaymentAccepted', 'PixChargeClosed']);
      expect((await ledger.types(`deposit-${depositId}`)).at(-1)).toBe('DepositVoided');
      expect(ledger.bank.totals().returned.toString()).toBe('50.00');
    },
  );
});
