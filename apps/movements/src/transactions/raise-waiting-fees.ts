import { isoTime } from '@ponte/kernel';
import type { Trace } from './chain-transactions';
import type { KeyOnChain } from './pending-transactions.read-model';
import type { WatcherServices } from './watchers';

/** What a node holds of one sender that waits for its first nonce. */
const RAISED_A_ROUND = 64;

/**
 * Raises the fees of transactions that wait unmined for too long: of the first one of the key, and of those behind it
 * that would be signed with more today.
 */
export async function raiseWaitingFees(
  { pending, sender, settings: { raiseFeeAfterMs }, clock }: WatcherServices,
  keyId: string,
  key: KeyOnChain,
): Promise<void> {
  const before = isoTime(clock.now() - raiseFeeAfterMs);
  for (const { id, nonce, correlationId } of await pending.unmined(key, before, RAISED_A_ROUND)) {
    if (nonce === null) continue;
    const trace: Trace = { correlationId, actor: 'chain-watcher' };
    const { outcome } = await sender.raiseFee(key.chain, [keyId], id, trace, nonce === key.minedCount);
    if (outcome === 'cap-reached') return;
  }
}
