import type { KeyOnChain, PendingTransaction, PendingTransactions, Unsigned } from './pending-transactions.read-model';

interface PageSizes {
  /** Mined transactions that are read at once. */
  readonly used: number;
  /** Signed, and also unsigned, transactions that are sent per round. */
  readonly unsent: number;
}

/**
 * The unfinished transactions of one key, in the pages in which its watcher reads them. Every page has its turn: the
 * first one may be full of transactions that cannot be settled, or not be signed, for a long time.
 */
export class PendingPages {
  /** What may have transactions that the watcher does not follow yet. */
  private unread: 'nothing' | 'first-page' | 'all' = 'nothing';
  /** The last unsigned transaction of the last round; undefined when the next round begins with the oldest. */
  private after: Unsigned | undefined;

  constructor(
    private readonly pending: Pick<PendingTransactions, 'used' | 'unmined' | 'unsigned'>,
    private readonly sizes: PageSizes,
  ) {}

  /** The read model has changed. Often, so only its first page is read again. */
  changed(): void {
    if (this.unread === 'nothing') this.unread = 'first-page';
  }

  /** All pages are read again. */
  readAll(): void {
    this.unread = 'all';
  }

  /** Signed transactions whose nonce the chain has used, lowest nonce first, if they have to be read again. */
  async *used(key: KeyOnChain): AsyncGenerator<PendingTransaction> {
    const { unread, sizes } = this;
    this.unread = 'nothing';
    for (let from = 0, more = unread !== 'nothing'; more;) {
      const page = await this.pending.used(key, sizes.used, from);
      yield* page;
      from = (page.at(-1)?.nonce ?? from) + 1;
      more = unread === 'all' && page.length === sizes.used;
    }
  }

  /**
   * Transactions to send, unchanged since `before`: first signed ones whose nonce the chain waits for, lowest nonce
   * first, then the page of unsigned ones after that of the last round.
   */
  async unsent(key: KeyOnChain, before: string): Promise<readonly PendingTransaction[]> {
    const signed = await this.pending.unmined(key, before, this.sizes.unsent);
    const unsigned = await this.pending.unsigned(key, before, this.sizes.unsent, this.after);
    this.after = unsigned.length < this.sizes.unsent ? undefined : unsigned.at(-1);
    return [...signed, ...unsigned];
  }
}
