import type { AmountOf, Hold, LedgerAccountEvent } from '@ponte/contracts';
import { NO_CHARGES } from '@ponte/contracts';
import { scenario, StateBehindEvent } from '@ponte/event-sourcing';
import { Refusal } from '@ponte/kernel';
import type { LedgerAccountCommand } from './ledger-account.commands';
import { ledgerAccount } from './ledger-account.decider';
import type { LedgerAccount } from './ledger-account.state';
import { availableOf, balanceOf } from './ledger-account.state';
import { moneyOf } from './ledger-account.state';
import { sumsOf } from './postings.domain';

export const NOW = '2026-11-20T12:00:00.000Z';
export const A = 'a1';
export const brl = (amount: string): AmountOf => ({ asset: 'fiat/brl', amount });
export const brlv = (amount: string): AmountOf => ({ asset: 'eth-base/brlv', amount });
export const holdFor = (orderId: string, amount: string, holdId = `hold-${orderId}`): Hold => ({
  holdId,
  owner: { kind: 'order', id: orderId },
  ...brl(amount),
});

export const deposit = (depositId: string, amount: string, hold: Hold | null = null): LedgerAccountCommand => ({
  kind: 'post-deposit',
  accountId: A,
  depositId,
  credit: brl(amount),
  hold,
  now: NOW,
});
export const place = (hold: Hold): LedgerAccountCommand => ({ kind: 'place-hold', accountId: A, hold, now: NOW });
export const release = (holdId: string): LedgerAccountCommand => ({
  kind: 'release-hold',
  accountId: A,
  holdId,
  reason: 'order-rolled-back',
});
export const exchange = (
  orderId: string,
  amount: string,
  change: Partial<Extract<LedgerAccountCommand, { kind: 'post-exchange' }>> = {},
): LedgerAccountCommand => ({
  kind: 'post-exchange',
  accountId: A,
  orderId,
  holdId: `hold-${orderId}`,
  debit: brl(amount),
  credit: brlv(`${amount}${'0'.repeat(16)}`),
  custody: true,
  charges: NO_CHARGES,
  deliveryHold: null,
  now: NOW,
  ...change,
});
export const reverse = (depositId: string, holdId: string): LedgerAccountCommand => ({
  kind: 'reverse-deposit',
  accountId: A,
  depositId,
  holdId,
  reason: 'order-rolled-back',
  now: NOW,
});

type TakeBack = Extract<LedgerAccountCommand, { kind: 'take-back-deposit' }>;
export const takeBack = (depositId: string, change: Partial<TakeBack> = {}): TakeBack => ({
  kind: 'take-back-deposit',
  accountId: A,
  depositId,
  credit: brl('100.00'),
  credited: true,
  now: NOW,
  ...change,
});

/** Executes the commands one after the other. */
export function after(...commands: LedgerAccountCommand[]): { state: LedgerAccount; past: LedgerAccountEvent[] } {
  let state = ledgerAccount.initial;
  const past: LedgerAccountEvent[] = [];
  for (const command of commands) {
    for (const event of ledgerAccount.decide(command, state)) {
      state = ledgerAccount.evolve(state, event);
      past.push(event);
    }
  }
  return { state, past };
}

export const given = (...commands: LedgerAccountCommand[]) => scenario(ledgerAccount).given(...after(...commands).past);
export const codeOf = (refusal: unknown): [string, string] =>
  refusal instanceof Refusal ? [refusal.code, refusal.violations[0]?.path ?? ''] : ['none', String(refusal)];
export const balances = (state: LedgerAccount, asset: AmountOf['asset'] = 'fiat/brl') => {
  const balance = balanceOf(state, asset);
  return { running: balance.running, held: balance.held, available: availableOf(balance) };
};

export function holdsInvariants(commands: LedgerAccountCommand[]): void {
  let state = ledgerAccount.initial;
  const postingIds = new Set<string>();
  let posted = 0n;
  for (const command of commands) {
    for (const event of attempt(command, state)) {
      if ('postings' in event.data) {
        for (const sum of sumsOf(event.data.postings).values()) expect(sum).toBe(0n);
        expect(postingIds.has(event.data.postingId)).toBe(false);
        postingIds.add(event.data.postingId);
        const own = event.data.postings.filter(
          ({ account, asset }) => account === 'customer:a1' && asset === 'fiat/brl',
        );
        posted += own.reduce((sum, posting) => sum + moneyOf(posting).minor, 0n);
      }
      state = ledgerAccount.evolve(state, event);
      const { running, held, available } = balances(state);
      const open = state.holds.all().reduce((sum, [, hold]) => sum + moneyOf(hold).minor, 0n);
      expect(running).toBe(posted);
      expect(held).toBe(open);
      expect(available >= 0n && held >= 0n && available + held === running).toBe(true);
    }
  }
}

function attempt(command: LedgerAccountCommand, state: LedgerAccount): readonly LedgerAccountEvent[] {
  try {
    return ledgerAccount.decide(command, state);
  } catch (refused) {
    if (refused instanceof Refusal || refused instanceof StateBehindEvent) return [];
    throw refused;
  }
}
