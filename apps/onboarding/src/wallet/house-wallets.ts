import { FindHouseAddresses } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';

/**
 * Those of the lower-case addresses that are addresses of the service, and why each cannot be an external wallet.
 * Rejects with `Unavailable` if the movements service does not answer. Without addresses, it is not asked.
 */
export async function findHouseWallets(
  addresses: readonly string[],
  bus: MessageBus,
  context: RequestContext,
): Promise<ReadonlyMap<string, string>> {
  if (addresses.length === 0) return new Map();
  const { found } = await bus.request(FindHouseAddresses, { addresses }, context);
  return new Map(found.map(({ address, loss }) => [address, loss]));
}
