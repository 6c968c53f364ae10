import { TransactionSigned, WalletCreated } from '@ponte/contracts';
import type { EventStore } from '@ponte/event-sourcing';
import { upcaster } from '@ponte/event-sourcing';
import type { Chain } from '@ponte/kernel';
import type { Hex } from '../chain/chain.port';

/** What the log says of a chain before its first scan. */
export interface LogBefore {
  /** Epoch ms; null without any wallet. */
  readonly firstWalletAt: number | null;
  readonly senders: ReadonlySet<Hex>;
}

const current = upcaster([WalletCreated, TransactionSigned]);

/**
 * Reads the log once from its beginning: a chain is scanned from its first wallet on, and only once the views know at
 * least this much.
 */
export async function readLogBefore(store: EventStore, chain: Chain): Promise<LogBefore> {
  let firstWalletAt: number | null = null;
  const senders = new Set<Hex>();
  if ((await store.head()) === undefined) return { firstWalletAt, senders };
  const subscription = store.subscribe({ categories: ['wallet', 'chainTransaction'] });
  try {
    for await (const { events, caughtUp } of subscription) {
      for (const recorded of events) {
        if (recorded.type === WalletCreated.type && current<WalletCreated>(recorded).data.chain === chain) {
          firstWalletAt = Math.min(firstWalletAt ?? Number.POSITIVE_INFINITY, Date.parse(recorded.meta.occurredAt));
        } else if (recorded.type === TransactionSigned.type) {
          const { chain: of, from } = current<TransactionSigned>(recorded).data;
          if (of === chain) senders.add(from as Hex);
        }
      }
      if (caughtUp) break;
    }
  } finally {
    await subscription.close();
  }
  return { firstWalletAt, senders };
}
