import type { DepositEvent, ExchangePosted, LedgerAccountEvent } from '@ponte/contracts';
import { fold } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import { Money, Refusal, Unavailable, assetOf } from '@ponte/kernel';
import { deposit } from '../deposit/deposit.decider';
import type { Deposit, DepositCommand } from '../deposit/deposit.state';
import type { LedgerAccountCommand } from '../ledger-account/ledger-account.commands';
import { ledgerAccount } from '../ledger-account/ledger-account.decider';
import type { LedgerAccount } from '../ledger-account/ledger-account.state';
import { availableOf } from '../ledger-account/ledger-account.state';
import { NOW } from './random-movements';

/** Minor units of BRLV (18 decimals) per centavo. */
const BRLV_PER_CENTAVO = 10n ** 16n;

/** The command that settles an amount in the clearing account: the other half of a transfer between two accounts. */
function receivedBy(event: LedgerAccountEvent): LedgerAccountCommand | null {
  if (event.type !== 'TokenMovementPosted' && event.type !== 'WithdrawalPosted') return null;
  const cleared = event.data.postings.find(({ account }) => account === 'house:clearing');
  if (!cleared) return null;
  const credit = { asset: cleared.asset, amount: cleared.amount };
  return {
    kind: 'post-deposit',
    accountId: 'd',
    depositId: `received-${event.data.accountId}-${event.data.postingId}`,
    credit,
    hold: null,
    from: 'clearing',
    now: NOW,
  };
}

/** The books of the house and of all accounts, computed from the postings. */
export class CheckedBooks {
  readonly accounts = new Map<string, LedgerAccount>();
  readonly deposits = new Map<string, Deposit>();
  readonly lines = new Map<string, bigint>();
  /** Number of posted events by type, so that a random mix that posts nothing does not count as a test. */
  readonly seen = new Map<string, number>();
  /** The exchanges in order, for checking the reports. */
  readonly exchanges: ExchangePosted['data'][] = [];
  private takenBack = new Set<string>();
  /** Centavos in the reserve behind vault shares: what buyers paid less what sellers got. */
  private behindShares = 0n;

  /** Executes a command and returns what is wrong with the books afterwards; null if nothing is. */
  act(command: LedgerAccountCommand): string | null {
    const state = this.accounts.get(command.accountId) ?? ledgerAccount.initial;
    let facts: readonly LedgerAccountEvent[];
    try {
      facts = ledgerAccount.decide(command, state);
    } catch (error) {
      // A hold that was never placed counts as an old state of the account.
      if (error instanceof Refusal || error instanceof Unavailable) return null;
      throw error;
    }
    return facts.map((event) => this.post(command.accountId, event)).find((fault) => fault !== null) ?? null;
  }

  private post(accountId: string, event: LedgerAccountEvent): string | null {
    const before = this.accounts.get(accountId) ?? ledgerAccount.initial;
    const after = fold(ledgerAccount, before, [event]);
    this.accounts.set(accountId, after);
    this.add(event);
    // The only posting that may make a balance negative.
    if (event.type === 'DepositReversed' && event.data.reason === 'taken-back') this.takenBack.add(accountId);
    if (event.type === 'ExchangePosted') this.recordExchange(event.data);
    return this.fault(accountId, before, event) ?? this.reserveFault(event) ?? this.settle(event);
  }

  /** Like {@link act}, for a command of a deposit. The suspense account holds exactly what was not settled. */
  actOnDeposit(depositId: string, command: DepositCommand): string | null {
    const state = this.deposits.get(depositId) ?? deposit.initial;
    let events: readonly DepositEvent[];
    try {
      events = deposit.decide(command, state);
    } catch (error) {
      if (error instanceof Refusal) return null;
      throw error;
    }
    this.deposits.set(depositId, fold(deposit, state, events));
    for (const event of events) this.add(event);
    const unsettled = new Map<string, bigint>();
    for (const one of this.deposits.values())
      if (one.status !== 'none' && one.suspense?.settledAt === null) {
        const { asset, amount } = one.facts;
        unsettled.set(asset, (unsettled.get(asset) ?? 0n) + Money.stored(asset, amount).minor);
      }
    for (const asset of ['fiat/brl', 'eth-base/usdc']) {
      const [booked, open] = [this.lines.get(`house:suspense ${asset}`) ?? 0n, unsettled.get(asset) ?? 0n];
      if (booked !== open) return `${booked} ${asset} are in suspense, and ${open} are not settled`;
    }
    return this.sumFault(command.kind);
  }

  private add(event: LedgerAccountEvent | DepositEvent): void {
    this.seen.set(event.type, (this.seen.get(event.type) ?? 0) + 1);
    for (const { account, asset: of, amount } of 'postings' in event.data ? event.data.postings : []) {
      const line = `${account} ${of}`;
      this.lines.set(line, (this.lines.get(line) ?? 0n) + Money.stored(of, amount).minor);
    }
  }

  private sumFault(after: string): string | null {
    const sums = new Map<string, bigint>();
    for (const [line, minor] of this.lines) {
      const of = line.split(' ')[1] ?? '';
      sums.set(of, (sums.get(of) ?? 0n) + minor);
    }
    for (const [of, sum] of sums) if (sum !== 0n) return `the books of ${of} sum to ${sum} after ${after}`;
    return null;
  }

  private recordExchange(exchange: ExchangePosted['data']): void {
    this.exchanges.push(exchange);
    const shares = exchange.postings.some(({ asset }) => assetOf(asset).symbol === 'wBRLY');
    const reserve = exchange.postings.find(({ account }) => account === 'house:reserve');
    if (shares && reserve) this.behindShares += Money.stored(reserve.asset, reserve.amount).minor;
  }

  /** The reserve equals the BRLV issued on all chains plus the value behind vault shares, to the centavo. */
  private reserveFault({ type }: LedgerAccountEvent): string | null {
    let issued = 0n;
    for (const [line, minor] of this.lines) {
      const [account = '', of = ''] = line.split(' ');
      // Tokens that a reorg removed are owed, so they are still backed.
      if (of.endsWith('/brlv') && ['house:issuance', 'house:loss', 'house:owed'].includes(account)) issued -= minor;
    }
    const reserve = this.lines.get('house:reserve fiat/brl') ?? 0n;
    const backed = (reserve - this.behindShares) * BRLV_PER_CENTAVO;
    return issued === backed ? null : `${issued} BRLV are issued and ${backed} are in the reserve after ${type}`;
  }

  private settle(event: LedgerAccountEvent): string | null {
    const command = receivedBy(event);
    return command && this.act(command);
  }

  private fault(accountId: string, before: LedgerAccount, event: LedgerAccountEvent): string | null {
    const sumFault = this.sumFault(event.type);
    if (sumFault !== null) return sumFault;
    const state = this.accounts.get(accountId) ?? before;
    for (const [of, balance] of Object.entries(state.balances)) {
      const available = availableOf(balance);
      const line = this.lines.get(`customer:${accountId} ${of}`) ?? 0n;
      if (line !== balance.running) return `${accountId} has ${balance.running} ${of} and its postings say ${line}`;
      if (balance.held < 0n) return `${accountId} holds ${balance.held} ${of}`;
      const was = availableOf(before.balances[of as AssetId] ?? { running: 0n, held: 0n });
      // After a take-back the balance may stay below zero, but nothing else may lower it further.
      const lowered = available < was && event.type !== 'DepositReversed';
      if (available < 0n && (lowered || !this.takenBack.has(accountId)))
        return `${accountId} has ${available} ${of} available after ${event.type}`;
    }
    return null;
  }
}
