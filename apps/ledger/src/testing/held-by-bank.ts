import type { Money } from '@ponte/kernel';
import type { Bank, PayoutBank, TedBank } from './running-ledger';

/** What the simulated bank owes us: all that it received for us, less all that it paid. */
export function heldByBank(simulated: {
  readonly bank: Bank;
  readonly payouts: PayoutBank;
  readonly teds: TedBank;
}): Money {
  const { received, returned } = simulated.bank.totals();
  const [payouts, teds] = [simulated.payouts.totals(), simulated.teds.totals()];
  return received.minus(returned).minus(payouts.paid).plus(payouts.returned).plus(teds.received).minus(teds.returned);
}
