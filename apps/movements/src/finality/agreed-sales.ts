import { logged } from '@ponte/event-sourcing';
import { lruCache } from '@ponte/kernel';
import type { Logger } from 'pino';
import type { EvmChain, Hex, MinedPlace } from '../chain/chain.port';
import type { Trace } from '../transactions/chain-transactions.service';
import type { ChainTransaction, IntendedTransaction } from '../transactions/chain-transaction.state';
import { treasuryWalletId } from '../wallet/wallet.decider';

/** The check that is logged. Nodes are often a moment apart, so the first check is not logged. */
const LOGGED_CHECK = 2;
/** Number of waiting sales whose checks are counted. */
const COUNTED = 10_000;

/** Completes a sale of tokens only when two nodes, or the only one, have its transaction. */
export class AgreedSales {
  private readonly checks = lruCache<string, number>(COUNTED);

  constructor(private readonly logger: Logger) {}

  /** Whether the mined transaction must wait for a second node. Logs a warning once for each that does. */
  async waits(
    evm: Pick<EvmChain, 'chain' | 'agreedMined'>,
    state: ChainTransaction,
    txHash: Hex,
    place: MinedPlace,
    trace: Trace,
  ): Promise<boolean> {
    if (state.status === 'absent' || !creditsBrl(state)) return false;
    const { transactionId } = state.intent;
    if (await evm.agreedMined(txHash, place)) {
      this.checks.delete(transactionId);
      return false;
    }
    const checks = (this.checks.get(transactionId) ?? 0) + 1;
    this.checks.set(transactionId, checks);
    if (checks === LOGGED_CHECK)
      this.logger.warn(
        { ...logged(trace), transactionId, chain: evm.chain, txHash },
        'a sale waits until a second node has its transaction',
      );
    return true;
  }
}

/** Whether BRL is credited for the tokens. It can be paid out at once, so one node's word is not enough. */
function creditsBrl({ intent: { chain, purpose } }: IntendedTransaction): boolean {
  if (purpose.kind !== 'token-movement') return purpose.kind === 'redemption';
  return purpose.owner.kind === 'order' && !purpose.walletIds.includes(treasuryWalletId(chain));
}
