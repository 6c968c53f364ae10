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

/** The id of the key with this address, or undefined when the process does not have it. */
export async function keyIdOf(
  { signer, settings: { heldKeyIds } }: Omit<KeyWatch, 'keyId'>,
  address: string,
): Promise<string | undefined> {
  const addresses = await Promise.all(heldKeyIds.map((id) => signer.addressOf(id)));
  return heldKeyIds[addresses.findIndex((one) => one === address)];
}

interface KeyWatch {
  readonly signer: Signer;
  readonly keyId: string;
  readonly settings: Pick<MovementsSettings, 'heldKeyIds'>;
}

/**
 * Whether the watcher of this key handles the sender's transactions: its own and, for the first key, also those of keys
 * that the process does not have.
 */
export async function isResponsibleFor(
  { signer, keyId, settings: { heldKeyIds } }: KeyWatch,
  sender: Hex,
): Promise<boolean> {
  if (sender === (await signer.addressOf(keyId))) return true;
  return keyId === heldKeyIds[0] && (await keyIdOf({ signer, settings: { heldKeyIds } }, sender)) === undefined;
}
