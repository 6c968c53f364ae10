import type { ChainTransactionEvent } from '@ponte/contracts';
import type { EventStore } from '@ponte/event-sourcing';
import { upcaster } from '@ponte/event-sourcing';
import type { Chain } from '@ponte/kernel';
import type { StoredTransaction } from '../sending/resend-forgotten';
import { chainTransaction } from './chain-transaction.decider';
import type { Hex } from '../chain/chain.port';

const current = upcaster(chainTransaction.events);

/** Every transaction for the chain whose bytes are in the log as it stands now, oldest first. */
export async function* signedIn(
  store: EventStore,
  chain: Chain,
  signal: AbortSignal,
): AsyncGenerator<StoredTransaction> {
  const end = await store.head();
  if (end === undefined) return;
  const subscription = store.subscribe({ categories: [chainTransaction.category] });
  try {
    for await (const slice of subscription) {
      for (const recorded of slice.events) {
        const { type, data } = current<ChainTransactionEvent>(recorded);
        if (type === 'TransactionSigned' && data.chain === chain) {
          yield { from: data.from as Hex, nonce: data.nonce, raw: data.raw as Hex, hash: data.txHash as Hex };
        }
      }
      if (signal.aborted || store.comparePositions(slice.position, end) >= 0) return;
    }
  } finally {
    await subscription.close();
  }
}
