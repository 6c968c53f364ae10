import { OneAtATime, whileLeased } from '@ponte/concurrency';
import type { EventStore, Lease } from '@ponte/event-sourcing';
import { logged } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { Unavailable, isoTime } from '@ponte/kernel';
import type { Metrics } from '@ponte/observability';
import type { Logger } from 'pino';
import type { Head, Hex } from '../chain/chain.port';
import type { ServedChain } from '../chain/served-chains.port';
import type { MovementsSettings } from '../movements-settings.port';
import type { Signer } from '../signer/signer.port';
import type { KeyOnChain, PendingTransaction, PendingTransactions } from './pending-transactions.read-model';
import type { SigningKeys } from '../signer-key/signing-keys.read-model';
import type { UnfinalTransactions } from '../finality/unfinal-transactions.read-model';
import type { ChainTransactions, Trace } from './chain-transactions';
import { FinalityWatch } from '../finality/finality-watch';
import { Followed } from './followed';
import type { KeyFinalities } from '../signer-key/key-finalities';
import { isMinded } from '../signer-key/operator-keys';
import { remind } from './reminder';
import type { Sender } from '../sending/sender';
import type { SentTransaction } from '../sending/sent';
import type { FinalityChecker, Standing } from '../finality/finality-checker';

export interface WatcherParts {
  readonly served: ServedChain;
  /** The operator key whose transactions are watched. */
  readonly keyId: string;
  readonly signer: Signer;
  readonly settings: MovementsSettings;
  readonly pending: PendingTransactions;
  readonly keys: SigningKeys;
  readonly finality: FinalityChecker;
  readonly sender: Sender;
  readonly store: EventStore;
  readonly lease: Lease;
  readonly clock: Clock;
  readonly unfinal: UnfinalTransactions;
  readonly transactions: ChainTransactions;
  readonly finalities: KeyFinalities;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** Taken from the view, and asked of the node, in one go. */
const AT_ONCE = 500;
/** Handed over in one round: what an outage of an hour leaves behind is not to take another hour. */
const SENT_A_ROUND = 5_000;
/** What a node holds of one sender that waits for its first nonce. */
const RAISED_A_ROUND = 64;
/**
 * Rounds in a row that must find a nonce used and our bytes in no block, before a final block is asked: nodes lag all
 * the time.
 */
const ROUNDS_TO_BE_SURE = 3;
interface Doubt {
  readonly row: PendingTransaction;
  /** Looked for since the last round, and not found. */
  missed: boolean;
  rounds: number;
}

/** Follows one chain for one operator key, under a lease, and ends the transactions that it has mined. */
export class ChainWatcher {
  private watching = false;
  /** The key that we watch, as of the last look at the chain. */
  private key: KeyOnChain;
  private headNumber = 0;
  private readonly doubtful = new Map<string, Doubt>();
  /** Their end is decided at finality alone: looked at again by each round instead of at each head. */
  private readonly unfinal = new Set<string>();
  private readonly followed = new Followed();
  private readonly looks = new OneAtATime(() => this.look());
  /** There may be something in the view that is not followed yet. */
  private viewMoved = false;

  private readonly finality: FinalityWatch;

  constructor(private readonly parts: WatcherParts) {
    this.finality = new FinalityWatch({
      ...parts,
      minds: (sender) => isMinded(parts, sender),
      revive: (id) => this.followed.revive(id),
    });
    this.key = { chain: parts.served.evm.chain, sender: '', minedCount: 0 };
  }

  /** Until the signal aborts or the lease is lost. */
  async follow(signal: AbortSignal): Promise<void> {
    const {
      lease,
      served: { evm },
      keyId,
    } = this.parts;
    await whileLeased(lease, `movements/watch/${evm.chain}/${keyId}`, signal, (end) => this.followLeased(end));
  }

  private async followLeased(end: AbortSignal): Promise<void> {
    const {
      served: { evm },
      settings,
      keyId,
      signer,
      store,
      keys,
      clock,
      logger,
    } = this.parts;
    try {
      if (settings.chainsForget && keyId === settings.operatorKeyIds[0]) {
        const operators = await Promise.all(settings.operatorKeyIds.map((id) => signer.addressOf(id)));
        await remind({ evm, store, keys, operators, logger }, end);
      }
      this.watching = true;
      await this.round(clock.now()).catch((error: unknown) =>
        logger.warn({ err: error, chain: evm.chain }, 'the first round was not made'),
      );
      for await (const head of evm.heads(end)) {
        await this.onHead(head).catch((error: unknown) =>
          logger.warn({ err: error, chain: evm.chain }, 'a head was not looked at'),
        );
      }
    } finally {
      this.watching = false;
      await this.looks.idle();
    }
  }

  /** The view of what is unfinished has changed: what the chain has mined meanwhile may be in it now. */
  nudge(): void {
    this.viewMoved = true;
    this.lookSoon();
  }

  /** The sender has just broadcast it: there is no need to wait for the view. */
  follows({ from, transaction }: SentTransaction): void {
    if (!this.watching || from !== this.key.sender) return;
    this.followed.add(transaction);
    this.lookSoon();
  }

  private lookSoon(): void {
    if (this.watching)
      this.looks
        .run()
        .catch((error: unknown) =>
          this.parts.logger.warn({ err: error }, 'the unfinished transactions were not looked at'),
        );
  }

  /**
   * The slow round: gives up what is lost for good, and sends again whatever has stood where it stands since before the
   * time. Each part is made whether or not the others can be: what one look-up meets must not keep other transactions
   * from being sent.
   */
  async round(before: number): Promise<void> {
    if (!this.watching) return;
    const {
      pending,
      sender,
      keyId,
      served: { evm },
    } = this.parts;
    await this.part('the mined transactions were not counted', () => this.countMined());
    await this.part('transactions were not sent again', async () => {
      for (const row of await pending.unsent(this.key, isoTime(before), SENT_A_ROUND))
        sender.send(evm.chain, keyId, row.id, traceOf(row));
    });
    for (const id of this.unfinal) this.followed.forgetAge(id);
    this.unfinal.clear();
    this.viewMoved = true;
    await this.part('the unfinished transactions were not looked at', () => this.looks.run());
    await this.part('transactions that are missing were not looked for', () => this.doubt());
    await this.part('confirmed transactions were not looked at', () => this.finality.round());
    await this.part('fees were not raised', () => this.raiseFees());
  }

  /** Of those that wait longest: the first in line, and those behind it that would be signed with more today. */
  private async raiseFees(): Promise<void> {
    const {
      pending,
      sender,
      keyId,
      served: { evm },
      settings: { raiseFeeAfterMs },
      clock,
    } = this.parts;
    const waiting = await pending.unmined(this.key, isoTime(clock.now() - raiseFeeAfterMs), RAISED_A_ROUND);
    for (const row of waiting) {
      if (row.nonce === null) continue;
      const { outcome } = await sender.raiseFee(
        evm.chain,
        [keyId],
        row.id,
        traceOf(row),
        row.nonce === this.key.minedCount,
      );
      if (outcome === 'cap-reached') return;
    }
  }

  private async part(failure: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.parts.logger.warn({ err: error, chain: this.parts.served.evm.chain }, failure);
    }
  }

  private async onHead({ number }: Head): Promise<void> {
    this.headNumber = number;
    await this.countMined();
    await this.looks.run();
  }

  private async countMined(): Promise<void> {
    const { signer, keyId, served } = this.parts;
    const sender = await signer.addressOf(keyId);
    this.key = { ...this.key, sender, minedCount: await served.evm.nextNonce(sender, 'latest') };
  }

  private async look(): Promise<void> {
    await this.findInView();
    const due = this.followed.due(this.key.minedCount, this.headNumber);
    for (let from = 0; from < due.length; from += AT_ONCE)
      await Promise.all(due.slice(from, from + AT_ONCE).map((row) => this.settle(row)));
  }

  /** What another process has sent, or this one before its last start: lowest nonces first. */
  private async findInView(): Promise<void> {
    if (!this.viewMoved) return;
    this.viewMoved = false;
    for (const row of await this.parts.pending.used(this.key, AT_ONCE)) this.followed.add(row);
  }

  private async settle(row: PendingTransaction): Promise<void> {
    const { finality, served, logger } = this.parts;
    try {
      this.note(row, await finality.settle(served, row.id, row.txHash as Hex, traceOf(row)));
    } catch (error) {
      // An outage ends by itself, and the next head comes back to this one.
      logger[error instanceof Unavailable ? 'warn' : 'error'](
        { ...logged(row), err: error, transactionId: row.id },
        'a transaction was not settled',
      );
    }
  }

  private note(row: PendingTransaction, standing: Standing): void {
    if (standing.kind === 'missing') {
      this.followed.forgetAge(row.id);
      this.doubtful.set(row.id, { row, missed: true, rounds: this.doubtful.get(row.id)?.rounds ?? 0 });
      return;
    }
    this.doubtful.delete(row.id);
    if (standing.kind === 'unfinal') {
      this.unfinal.add(row.id);
      this.followed.matures(row.id, Number.POSITIVE_INFINITY);
    } else if (standing.kind === 'maturing') this.followed.matures(row.id, standing.readyAt);
    else this.followed.end(row.id);
  }

  /**
   * Their nonce is used, and they are in no block: a node that lags, a reorg, or in the end someone else's transaction.
   */
  private async doubt(): Promise<void> {
    const { finality, served, logger } = this.parts;
    for (const [id, doubt] of this.doubtful) {
      const { row, missed } = doubt;
      doubt.missed = false;
      if (row.nonce === null || row.nonce >= this.key.minedCount) this.doubtful.delete(id);
      else if (missed) doubt.rounds += 1;
      if (!missed || doubt.rounds < ROUNDS_TO_BE_SURE) continue;
      try {
        this.note(row, await finality.supersede(served, id, traceOf(row)));
      } catch (error) {
        logger[error instanceof Unavailable ? 'warn' : 'error'](
          { ...logged(row), err: error, transactionId: id },
          'it is not known what has used a nonce',
        );
      }
    }
  }
}

const traceOf = ({ correlationId }: PendingTransaction): Trace => ({ correlationId, actor: 'chain-watcher' });
