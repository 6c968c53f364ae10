import type { Hex } from '../chain/chain.port';
import type { MovementsSettings } from '../movements-settings.port';
import type { Signer } from '../signer/signer.port';

/** How many hex digits of an id choose the key. Ids of transactions are hashes, so keys share the work evenly. */
const DIGITS = 6;

/** The operator key for a transaction. It is always the same one while the number of keys does not change. */
export function operatorKeyFor(transactionId: string, keyIds: readonly string[]): string {
  const keyId = keyIds[Number.parseInt(transactionId.slice(-DIGITS), 16) % keyIds.length];
  if (keyId === undefined) throw new Error('there is no operator key');
  return keyId;
}

interface KeyWatch {
  readonly signer: Signer;
  readonly keyId: string;
  readonly settings: Pick<MovementsSettings, 'operatorKeyIds'>;
}

/**
 * Whether the watcher of this key handles the sender's transactions: its own and, for the first key, also those of keys
 * that are no longer used.
 */
export async function isResponsibleFor(
  { signer, keyId, settings: { operatorKeyIds } }: KeyWatch,
  sender: Hex,
): Promise<boolean> {
  if (sender === (await signer.addressOf(keyId))) return true;
  const used = await Promise.all(operatorKeyIds.map((id) => signer.addressOf(id)));
  return keyId === operatorKeyIds[0] && !used.includes(sender);
}
