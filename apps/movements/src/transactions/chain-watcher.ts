import { OneAtATime, whileLeased } from '@ponte/concurrency';
import { logged } from '@ponte/event-sourcing';
import { Unavailable, isoTime } from '@ponte/kernel';
import type { EvmChain, Head, Hex } from '../chain/chain.port';
import type { ServedChain } from '../chain/served-chains.port';
import type { PendingTransaction } from './pending-transactions.read-model';
import type { Trace } from './chain-transactions.service';
import { DoubtfulTransactions } from './doubtful-transactions';
import { FinalityWatch } from '../finality/finality-watch';
import type { WatcherServices } from './watcher-services.service';
import { Followed } from './followed';
import { KeylessTransactions } from '../signer-key/keyless-transactions';
import { isResponsibleFor } from '../signer-key/operator-keys';
import { WatchedKey } from '../signer-key/watched-key';
import { PendingPages } from './pending-pages';
import { resendLost } from './resend-lost';
import { WaitingFees } from './waiting-fees';
import type { SentTransaction } from '../sending/sent.service';
import type { ChainStatus } from '../finality/chain-status';

interface WatcherParts extends WatcherServices {
  readonly served: ServedChain;
  /** The operator key whose transactions are watched. */
  readonly keyId: string;
}

/** How many transactions are read from the read model, and asked of the node, at once. */
const AT_ONCE = 500;
/** Transactions sent per round: the backlog of an hour's outage must not take another hour. */
const SENT_PER_ROUND = 5_000;

/** Follows one chain for one operator key, under a lease, and settles the transactions that the chain has mined. */
export class ChainWatcher {
  private watching = false;
  private readonly key: WatchedKey;
  private headNumber = 0;
  private readonly doubtful = new DoubtfulTransactions();
  /** Transactions whose end waits for finality or for a second node: checked in each round, whatever the head is. */
  private readonly unfinal = new Set<string>();
  private readonly followed = new Followed();
  private readonly rounds = new OneAtATime(() => this.settleDue());
  private readonly pages: PendingPages;

  private readonly finality: FinalityWatch;
  private readonly fees: WaitingFees;
  private readonly keyless: KeylessTransactions;
  private readonly evm: EvmChain;

  constructor(private readonly parts: WatcherParts) {
    this.evm = parts.served.evm;
    this.pages = new PendingPages(parts.pending, { used: AT_ONCE, unsent: SENT_PER_ROUND });
    this.finality = new FinalityWatch({
      ...parts,
      isResponsibleFor: (sender) => isResponsibleFor(parts, sender),
      revive: (id) => this.followed.revive(id),
    });
    this.fees = new WaitingFees(parts, parts.keyId);
    this.keyless = new KeylessTransactions(parts);
    this.key = new WatchedKey(this.evm.chain, this.evm, parts);
  }

  /** Follows the chain until the signal aborts or the lease is lost. */
  async follow(signal: AbortSignal): Promise<void> {
    const { lease, keyId } = this.parts;
    await whileLeased(lease, `movements/watch/${this.evm.chain}/${keyId}`, signal, (end) => this.followLeased(end));
  }

  private async followLeased(end: AbortSignal): Promise<void> {
    const { settings, keyId, signer, store, keys, clock, logger } = this.parts;
    try {
      if (settings.chainsForget && keyId === settings.operatorKeyIds[0]) {
        const operators = await Promise.all(settings.heldKeyIds.map((id) => signer.addressOf(id)));
        await resendLost({ evm: this.evm, store, keys, operators, logger }, end);
      }
      this.watching = true;
      await this.part('the first round failed', () => this.round(clock.now()));
      for await (const head of this.evm.heads(end))
        await this.part('a new head could not be processed', () => this.onHead(head));
    } finally {
      this.watching = false;
      await this.rounds.idle();
    }
  }

  /** Call when the read model has changed: it may have transactions that are already mined. */
  nudge(): void {
    this.pages.changed();
    this.scheduleRound();
  }

  /** Follows a transaction that the sender has just broadcast, without waiting for the read model. */
  follows({ from, transaction }: SentTransaction): void {
    if (!this.watching || from !== this.key.current.sender) return;
    this.followed.add(transaction);
    this.scheduleRound();
  }

  private scheduleRound(): void {
    if (this.watching) void this.part('the unfinished transactions could not be checked', () => this.rounds.run());
  }

  /**
   * The slow round: gives up transactions that are lost permanently, and sends again those that have not changed since
   * `before`. Each part runs even if others fail, so that one failing check does not keep other transactions from being
   * sent.
   */
  async round(before: number): Promise<void> {
    if (!this.watching) return;
    const { sender, keyId, settings, byKey } = this.parts;
    if (keyId === settings.operatorKeyIds[0])
      await this.part('the transactions of unknown keys could not be checked', async () =>
        this.keyless.round(await byKey.report(this.evm.chain), before),
      );
    this.key.outdate();
    await this.part('the mined transactions could not be counted', () => this.countMined());
    await this.part('transactions could not be sent again', async () => {
      for (const row of await this.pages.unsent(this.key.current, isoTime(before)))
        sender.send(this.evm.chain, keyId, row.id, traceOf(row));
    });
    for (const id of this.unfinal) this.followed.forgetAge(id);
    this.unfinal.clear();
    this.followed.endRound(this.headNumber + this.parts.served.confirmations);
    this.pages.readAll();
    await this.part('the unfinished transactions could not be checked', () => this.rounds.run());
    await this.part('missing transactions could not be checked', () => this.checkDoubtful());
    await this.part('confirmed transactions could not be checked', () => this.finality.round());
    await this.part('fees could not be raised', () => this.fees.round(this.key.current));
  }

  private async part(failure: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.parts.logger.warn({ err: error, chain: this.evm.chain }, failure);
    }
  }

  private async onHead({ number }: Head): Promise<void> {
    this.headNumber = number;
    this.fees.onHead(number);
    this.key.outdate();
    await this.rounds.run();
  }

  private countMined(): Promise<void> {
    return this.key.count(!this.followed.isEmpty);
  }

  private async settleDue(): Promise<void> {
    await this.countMined();
    // What another process has sent, or this one before its last start.
    for await (const row of this.pages.used(this.key.current)) this.followed.add(row);
    const due = this.followed.due(this.key.current.minedCount, this.headNumber);
    for (let from = 0; from < due.length; from += AT_ONCE)
      await Promise.all(due.slice(from, from + AT_ONCE).map((row) => this.settle(row)));
  }

  private applyStatus(row: PendingTransaction, status: ChainStatus): void {
    if (status.kind === 'missing') {
      this.followed.forgetAge(row.id);
      this.doubtful.missed(row);
      return;
    }
    this.doubtful.found(row.id);
    if (status.kind === 'unfinal' || status.kind === 'misused') {
      this.unfinal.add(row.id);
      this.followed.matures(row.id, status.readyAt);
    } else if (status.kind === 'maturing') this.followed.matures(row.id, status.readyAt);
    else this.followed.end(row.id);
  }

  private async checkDoubtful(): Promise<void> {
    const { finality, served } = this.parts;
    for (const row of this.doubtful.endRound(this.key.current.minedCount))
      await this.settling(row, 'cannot find out which transaction has used a nonce', () =>
        finality.supersede(served, row.id, traceOf(row)),
      );
  }

  private settle(row: PendingTransaction): Promise<void> {
    const { finality, served } = this.parts;
    return this.settling(row, 'a transaction could not be settled', () =>
      finality.settle(served, row.id, row.txHash as Hex, traceOf(row)),
    );
  }

  /** Failures are only logged: an outage ends, and the next head or round checks the transaction again. */
  private async settling(row: PendingTransaction, failure: string, read: () => Promise<ChainStatus>): Promise<void> {
    try {
      this.applyStatus(row, await read());
    } catch (error) {
      this.parts.logger[error instanceof Unavailable ? 'warn' : 'error'](
        { ...logged(row), err: error, transactionId: row.id },
        failure,
      );
    }
  }
}

const traceOf = ({ correlationId }: PendingTransaction): Trace => ({ correlationId, actor: 'chain-watcher' });
