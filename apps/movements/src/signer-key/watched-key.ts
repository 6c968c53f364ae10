import type { Chain } from '@ponte/kernel';
import type { EvmChain } from '../chain/chain.port';
import type { Signer } from '../signer/signer.port';
import type { KeyOnChain, PendingTransactions } from '../transactions/pending-transactions.read-model';

interface Parts {
  readonly keyId: string;
  readonly signer: Pick<Signer, 'addressOf'>;
  readonly pending: Pick<PendingTransactions, 'lowest'>;
}

/** A key on a chain, with the number of its mined transactions. The node is asked only while some are unfinished. */
export class WatchedKey {
  private known: KeyOnChain;
  private isOutdated = true;

  constructor(
    chain: Chain,
    private readonly evm: Pick<EvmChain, 'nextNonce'>,
    private readonly parts: Parts,
  ) {
    this.known = { chain, sender: '', minedCount: 0 };
  }

  /** As of the last count. */
  get current(): KeyOnChain {
    return this.known;
  }

  /** Call when more transactions may have been mined. */
  outdate(): void {
    this.isOutdated = true;
  }

  /** Updates the count if it is outdated. `isFollowing` states that transactions are known to be unfinished. */
  async count(isFollowing: boolean): Promise<void> {
    if (!this.isOutdated) return;
    const sender = await this.parts.signer.addressOf(this.parts.keyId);
    this.known = { ...this.known, sender };
    if (!isFollowing && (await this.parts.pending.lowest(this.known.chain, sender)) === null) return;
    this.isOutdated = false;
    try {
      this.known = { ...this.known, minedCount: await this.evm.nextNonce(sender, 'latest') };
    } catch (error) {
      this.isOutdated = true;
      throw error;
    }
  }
}
