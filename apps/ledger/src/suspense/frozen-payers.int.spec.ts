import type { FreezeReason } from '@ponte/contracts';
import { RejectSuspenseSettlement } from '@ponte/contracts';
import { Money } from '@ponte/kernel';
import { depositIdOf } from '../deposit/deposit.state';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { ACCOUNT, STRANGER_CPF } from '../testing/ledger-under-test';
import { SettlementProposals, codeOf } from './testing/settlement-proposals';

const ledger = ledgerForEachTest({ booksBalance: true });
const proposals = new SettlementProposals(ledger);
beforeEach(() => {
  ledger.paidByHand = Money.zero('fiat/brl');
});

const stand = (status: 'active' | 'frozen' | 'closed', ...reasons: FreezeReason[]) => {
  ledger.status.set(ACCOUNT, status);
  ledger.freezeReasons.set(ACCOUNT, reasons);
};
/** A settlement that waits for the second staff member, of a payment by the holder or another payer. */
async function proposed(payer?: string): Promise<string> {
  const { brcode } = await (await ledger.charge('order-1')).open();
  ledger.bank.misbehaviour.returns = 'not-carried-out';
  const depositId = depositIdOf((await ledger.pay(brcode, payer ? '50.00' : '49.99', payer)).endToEndId);
  await proposals.ticksUntil(async () =>
    expect(await ledger.types(`deposit-${depositId}`)).toContain('SuspensePosted'),
  );
  await proposals.propose(depositId, 'E1');
  return depositId;
}
const settles = async (depositId: string, amount: string) => {
  expect(await proposals.confirm(depositId)).toMatchObject({ status: 'settled' });
  ledger.paidByHand = Money.parse('fiat/brl', amount);
};

describe('The settlement of a payment that the bank did not return to the holder of the account', () => {
  it.each(['sanctions', 'fraud-suspected', 'court-order', 'compliance'] as const)(
    'is not confirmed while the account is frozen for %s, and leaves the money in suspense',
    async (reason) => {
      const depositId = await proposed();
      stand('frozen', 'closing', reason);
      expect(await codeOf(proposals.confirm(depositId))).toBe('payer-account-frozen');
      expect(await ledger.types(`deposit-${depositId}`)).not.toContain('SuspenseSettled');
      stand('active');
      await settles(depositId, '49.99');
    },
  );

  it('is confirmed while the account is frozen for another reason', async () => {
    const depositId = await proposed();
    stand('frozen', 'closing');
    await settles(depositId, '49.99');
  });

  it('is confirmed after the account was closed', async () => {
    const depositId = await proposed();
    stand('closed', 'compliance');
    await settles(depositId, '49.99');
  });

  it('is proposed and rejected in spite of the freeze, and a repeated confirmation changes nothing', async () => {
    const depositId = await proposed();
    stand('frozen', 'sanctions');
    const rejected = await ledger.ask(RejectSuspenseSettlement, { depositId, proposal: 1, staffId: 'second' });
    expect(rejected).toMatchObject({ status: 'open' });
    expect(await proposals.propose(depositId, 'E2')).toMatchObject({ status: 'proposed' });
    stand('active');
    const confirm = () => proposals.confirm(depositId, 2);
    expect(await confirm()).toMatchObject({ status: 'settled' });
    ledger.paidByHand = Money.parse('fiat/brl', '49.99');
    stand('frozen', 'sanctions');
    expect(await confirm()).toMatchObject({ status: 'settled' });
  });
});

it('The settlement of a payment by another payer is confirmed while the account is frozen', async () => {
  const depositId = await proposed(STRANGER_CPF);
  stand('frozen', 'sanctions');
  await settles(depositId, '50.00');
});
