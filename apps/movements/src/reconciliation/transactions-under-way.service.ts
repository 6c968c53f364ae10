import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@ponte/event-sourcing';
import { Money, Unavailable } from '@ponte/kernel';
import type { Hex } from '../chain/chain.port';
import type { ServedChain } from '../chain/served-chains.port';
import { FinalityChecker } from '../finality/finality-checker.service';
import { backingOf } from '../token-movement/chain-values.domain';
import type { IntendedTransaction } from '../transactions/chain-transaction.state';
import { sentIn } from '../transactions/chain-transaction.state';
import { ChainTransactions } from '../transactions/chain-transactions.service';
import { PendingTransactions } from '../transactions/pending-transactions.read-model';
import type { MovementEffect } from './movement-effect.domain';
import { effectOf } from './movement-effect.domain';

/** What an unfinished transaction may have changed on its chain. */
export interface UnderWay {
  readonly effect: MovementEffect;
  readonly money: Money;
}

/** Maximum signed transactions to consider. With more than that the chain is stuck, which another alert reports. */
const MAX_UNDER_WAY = 5_000;

/** Reads the unfinished transactions whose effects may be on a chain and not in the books. */
@Injectable()
export class TransactionsUnderWay {
  constructor(
    private readonly pending: PendingTransactions,
    private readonly transactions: ChainTransactions,
    private readonly finality: FinalityChecker,
  ) {}

  /**
   * Unfinished transactions by id, with their effect on the supply or the wallets of customers. Only signed ones: bytes
   * that do not exist cannot be on the chain. One that is signed and mined meanwhile is in the books of a later
   * comparison. Those whose reference was misused are left out, because what the other transaction moved is a
   * difference. Rejects with `Unavailable` when no node answers.
   */
  async of(served: ServedChain, context: RequestContext): Promise<ReadonlyMap<string, UnderWay>> {
    const { chain } = served.evm;
    const signed = await this.pending.signedOn(chain, MAX_UNDER_WAY);
    const counts = await this.minedCounts(served, new Set(signed.map(({ sender }) => sender)));
    const amounts = await Promise.all(
      signed.map(async ({ id, sender, nonce }): Promise<[string, UnderWay][]> => {
        const state = await this.transactions.load(id, ({ status }) => status !== 'absent');
        if (state.status === 'absent') return [];
        const { purpose } = state.intent;
        const effect = effectOf(purpose, chain);
        if (effect === null || purpose.kind === 'certificate-mint' || purpose.kind === 'nft-movement') return [];
        // While its nonce is unused, its bytes are in no block. This saves the requests for most transactions.
        if (nonce < (counts.get(sender) ?? 0) && (await this.isMisused(served, state, context))) return [];
        // A transaction that a reorg removed is unfinished again, because its loss is posted.
        const moved: [string, UnderWay] = [id, { effect, money: Money.stored(purpose.asset, purpose.amount) }];
        return purpose.kind === 'mint' && purpose.maxBrl !== undefined
          ? [moved, [`${id} backing`, { effect, money: inBrly(purpose.maxBrl) }]]
          : [moved];
      }),
    );
    return new Map(amounts.flat());
  }

  private async minedCounts({ evm }: ServedChain, senders: ReadonlySet<string>): Promise<ReadonlyMap<string, number>> {
    const counts = [...senders].map(async (sender) => [sender, await evm.nextNonce(sender as Hex, 'latest')] as const);
    return new Map(await Promise.all(counts));
  }

  /** False while the nodes do not answer or do not agree: the movement may still be made. */
  private async isMisused(served: ServedChain, state: IntendedTransaction, context: RequestContext): Promise<boolean> {
    const hash = sentIn(state)?.signed.txHash;
    try {
      const ours = hash === undefined ? undefined : await served.evm.transaction(hash as Hex);
      // Its own bytes took the reference. For most, this saves the search for the transaction that did.
      if (ours?.status === 'mined' && ours.succeeded) return false;
      return await this.finality.isMisused(served, state.intent, context);
    } catch (error) {
      if (error instanceof Unavailable) return false;
      throw error;
    }
  }
}

/** The BRLY that is minted into the vault for an amount of BRL. */
const inBrly = (brl: string): Money => Money.of('eth-base/brly', backingOf(brl));
