import type { EventStore } from '@ponte/event-sourcing';
import { upcaster } from '@ponte/event-sourcing';
import type { Logger } from 'pino';
import type { ChainTransactionEvent } from '@ponte/contracts';
import type { Chain } from '@ponte/kernel';
import type { StoredTransaction } from '../sending/resend-forgotten';
import { resendForgotten } from '../sending/resend-forgotten';
import type { EvmChain, Hex } from '../chain/chain.port';
import type { SigningKeys } from '../signer-key/signing-keys.read-model';
import { unminedIn } from './unmined-log';
import { chainTransaction } from './chain-transaction.decider';

interface ResendLostParts {
  readonly evm: EvmChain;
  readonly store: EventStore;
  readonly keys: SigningKeys;
  /** Addresses of the keys that sign now. */
  readonly operators: readonly Hex[];
  readonly logger: Logger;
}

/**
 * Sends again what a killed local chain has lost: its last blocks, or everything. The bytes come from the event log,
 * and the cost is proportional to what is missing. The whole log is read only when it is not known which keys have
 * signed; their addresses are then stored.
 */
export async function resendLost(
  { evm, store, keys, operators, logger }: ResendLostParts,
  signal: AbortSignal,
): Promise<void> {
  const known = await keys.of(evm.chain);
  const senders = new Set<Hex>();
  const stored = known
    ? unminedIn({ store, evm, senders: new Set([...known, ...operators]) })
    : collectingSenders(signedIn(store, evm.chain, signal), senders);
  const { resent, refused, behindGap } = await resendForgotten(evm, until(signal, stored));
  if (!known && !signal.aborted) await keys.complete(evm.chain, senders);
  if (resent > 0 || refused.length > 0)
    logger.info(
      { chain: evm.chain, resent, refused, behindGap: behindGap.length },
      'the chain had forgotten transactions',
    );
}

async function* collectingSenders(
  stored: AsyncIterable<StoredTransaction>,
  senders: Set<Hex>,
): AsyncGenerator<StoredTransaction> {
  for await (const one of stored) {
    senders.add(one.from);
    yield one;
  }
}

async function* until(
  signal: AbortSignal,
  stored: AsyncIterable<StoredTransaction>,
): AsyncGenerator<StoredTransaction> {
  for await (const one of stored) {
    if (signal.aborted) return;
    yield one;
  }
}

const current = upcaster(chainTransaction.events);

/** Every transaction of the chain whose signed bytes are in the log up to its current head, oldest first. */
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
