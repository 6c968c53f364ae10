import type { ChainTransaction } from '../transactions/chain-transaction.state';
import { sentIn } from '../transactions/chain-transaction.state';
import type { DueTransaction, Ready } from './due-transactions';
import type { SenderParts } from './sender-parts';
import { broadcast } from './broadcast';
import type { Trace } from '../transactions/chain-transactions.service';
import type { FeeRaise } from './fee-raiser';
import { FeeRaiser } from './fee-raiser';
import { IntentSigner } from './intent-signer';

/** Transactions per append of nonces and per request; no more than a node accepts ahead of the next nonce. */
const BATCH = 64;
/** Maximum length of the queue. Further transactions are found by the rounds over everything unfinished. */
const MAX_WAITING = 10_000;

/**
 * Takes the transactions of one key and chain from intent to broadcast, in batches and in nonce order. Its queue may be
 * lost: a transaction that is not sent is still unfinished in the log, and the next round queues it again.
 */
export class NonceOrderedSender {
  /** Has never been sent or checked, so it does not wait behind those that cannot be signed for a long time. */
  private readonly fresh = new Map<string, Trace>();
  /** What a round found unfinished. */
  private readonly waiting = new Map<string, Trace>();
  private current: ReadonlySet<string> = new Set();
  private running: Promise<void> | undefined;
  private stopped = false;

  private readonly signer: IntentSigner;
  private readonly fees: FeeRaiser;

  constructor(private readonly parts: SenderParts) {
    this.signer = new IntentSigner(parts);
    this.fees = new FeeRaiser(parts);
  }

  send(transactionId: string, trace: Trace, isFresh = false): void {
    const queue = isFresh ? this.fresh : this.waiting;
    const isQueued = this.current.has(transactionId) || this.fresh.has(transactionId);
    if (this.stopped || isQueued || queue.size >= MAX_WAITING) return;
    if (isFresh) this.waiting.delete(transactionId);
    queue.set(transactionId, trace);
    // A run serves many transactions, so it belongs to no trace. Each transaction in it has its own trace.
    this.running ??= this.parts.tracing.inSpan(undefined, () => this.run());
  }

  /** As {@link FeeRaiser.raise}. */
  raiseFee(transactionId: string, trace: Trace, always: boolean): Promise<FeeRaise> {
    return this.fees.raise(transactionId, trace, always);
  }

  /** Waits for the current batch. The rest is sent after the next start. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.fresh.clear();
    this.waiting.clear();
    await this.running;
  }

  private async run(): Promise<void> {
    while (this.fresh.size + this.waiting.size > 0) {
      // Some places are left to the others, however many are requested.
      const fresh = [...this.fresh].slice(0, this.waiting.size > 0 ? BATCH / 2 : BATCH);
      const batch = [...fresh, ...[...this.waiting].slice(0, BATCH - fresh.length)];
      this.current = new Set(batch.map(([transactionId]) => transactionId));
      for (const transactionId of this.current) {
        this.fresh.delete(transactionId);
        this.waiting.delete(transactionId);
      }
      try {
        await this.sendBatch(batch);
      } catch (error) {
        this.parts.logger.warn(
          { err: error, chain: this.parts.served.evm.chain, transactions: batch.length },
          'transactions were not sent; the next round will send them',
        );
      }
    }
    // In the same turn as the last check of the queue, so that a new transaction starts a new run.
    this.current = new Set();
    this.running = undefined;
  }

  private async sendBatch(batch: readonly (readonly [string, Trace])[]): Promise<void> {
    const intended: DueTransaction[] = [];
    const ready: Ready[] = [];
    // A cached state is enough: the append of the signature decides which process was first.
    const isUnfinished = ({ status }: ChainTransaction): boolean =>
      status === 'intended' || status === 'signed' || status === 'reorged';
    for (const [state, trace] of await Promise.all(
      batch.map(async ([id, by]) => [await this.parts.transactions.load(id, isUnfinished), by] as const),
    )) {
      if (state.status === 'intended') intended.push({ intent: state.intent, funded: state.funded, trace });
      // A confirmed transaction is in the batch only when the chain waits for its nonce, because a reorg removed it.
      const sent = sentIn(state);
      if (sent) ready.push({ intent: sent.intent, signed: sent.signed, trace });
    }
    // Before the unsigned ones: an older process may have released the reservation when the payment was mined.
    await this.parts.treasury.noteSentAgain(ready);
    if (intended.length > 0) ready.push(...(await this.signer.sign(intended)));
    await broadcast(
      this.parts,
      ready.sort((a, b) => a.signed.nonce - b.signed.nonce),
    );
  }
}
