import type { Hex } from '../chain/chain.port';
import type { MovementsSettings } from '../movements-settings.port';
import type { Signer } from '../signer/signer.port';

/** Hex digits of an id that choose the key: ids of transactions are hashed, so keys share the work evenly. */
const DIGITS = 6;

/**
 * The operator key that a transaction is intended for. The same transaction gets the same key as long as there are as
 * many keys.
 */
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
 * Whether the watcher of this key looks after the sender's transactions: its own, and as the first key also those of
 * keys that are used no more.
 */
export async function isMinded(
  { signer, keyId, settings: { operatorKeyIds } }: KeyWatch,
  sender: Hex,
): Promise<boolean> {
  if (sender === (await signer.addressOf(keyId))) return true;
  const used = await Promise.all(operatorKeyIds.map((id) => signer.addressOf(id)));
  return keyId === operatorKeyIds[0] && !used.includes(sender);
}
