import { logged } from '@ponte/event-sourcing';
import { Unavailable, isoTime } from '@ponte/kernel';
import type { Logger } from 'pino';
import type { Hex } from '../chain/chain.port';
import type { ServedChain } from '../chain/served-chains.port';
import type { FinalityChecker } from '../finality/finality-checker.service';
import type { ChainStatus } from '../finality/chain-status';
import type { Sender } from '../sending/sender.service';
import type { Trace } from '../transactions/chain-transactions.service';
import { DoubtfulTransactions } from '../transactions/doubtful-transactions';
import type {
  KeyOnChain,
  PendingTransaction,
  PendingTransactions,
} from '../transactions/pending-transactions.read-model';

interface KeylessParts {
  readonly served: ServedChain;
  readonly pending: Pick<PendingTransactions, 'used' | 'unmined'>;
  readonly finality: Pick<FinalityChecker, 'settle' | 'supersede'>;
  readonly sender: Pick<Sender, 'send'>;
  /** The operator key whose sender sends the bytes again. */
  readonly keyId: string;
  readonly logger: Logger;
}

/** Transactions that are read, settled or sent at once. */
const AT_ONCE = 500;

/**
 * Ends the signed transactions of keys that the process does not have. Only a new signature needs the key: signed bytes
 * are in the log, so they are sent again, and the chain says how they ended. Fees cannot be raised without the key.
 */
export class KeylessTransactions {
  private readonly doubtful = new Map<Hex, DoubtfulTransactions>();

  constructor(private readonly parts: KeylessParts) {}

  /**
   * Settles what the chain has mined, and sends again what has not changed since `before` (epoch ms). Rejects with
   * `Unavailable` when the node does not say how many transactions of a key are mined.
   *
   * @param senders the addresses of the keys
   */
  async round(senders: readonly Hex[], before: number): Promise<void> {
    const { served, pending, sender: sending, keyId } = this.parts;
    const { evm } = served;
    for (const sender of this.doubtful.keys()) if (!senders.includes(sender)) this.doubtful.delete(sender);
    for (const sender of senders) {
      const key = { chain: evm.chain, sender, minedCount: await evm.nextNonce(sender, 'latest') };
      await this.settleUsed(key);
      for (const row of await pending.unmined(key, isoTime(before), AT_ONCE))
        sending.send(evm.chain, keyId, row.id, traceOf(row));
    }
  }

  private async settleUsed(key: KeyOnChain): Promise<void> {
    const { served, pending, finality } = this.parts;
    const sender = key.sender as Hex;
    const doubtful = this.doubtful.get(sender) ?? new DoubtfulTransactions();
    this.doubtful.set(sender, doubtful);
    for (let from = 0, more = true; more;) {
      const page = await pending.used(key, AT_ONCE, from);
      await Promise.all(
        page.map(async (row) => {
          const settled = await this.status(row, () =>
            finality.settle(served, row.id, row.txHash as Hex, traceOf(row)),
          );
          if (settled?.kind === 'missing') doubtful.missed(row);
          else if (settled !== undefined) doubtful.found(row.id);
        }),
      );
      from = (page.at(-1)?.nonce ?? from) + 1;
      more = page.length === AT_ONCE;
    }
    for (const row of doubtful.endRound(key.minedCount))
      await this.status(row, () => finality.supersede(served, row.id, traceOf(row)));
  }

  /** Failures are only logged: the next round checks the transaction again. */
  private async status(row: PendingTransaction, read: () => Promise<ChainStatus>): Promise<ChainStatus | undefined> {
    try {
      return await read();
    } catch (error) {
      this.parts.logger[error instanceof Unavailable ? 'warn' : 'error'](
        { ...logged(row), err: error, transactionId: row.id },
        'a transaction of a key that movements does not have could not be settled',
      );
      return undefined;
    }
  }
}

const traceOf = ({ correlationId }: PendingTransaction): Trace => ({ correlationId, actor: 'chain-watcher' });
