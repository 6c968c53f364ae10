import type { Hex } from '../../chain/chain.port';
import { FORMER_PREFIX } from '../../movements-settings.port';
import type { Keystore, SignedTransaction, UnsignedTransaction } from '../signer.port';

/** A keystore, and beside it the former one, whose keys have names that begin with {@link FORMER_PREFIX}. */
class KeystoreWithFormer implements Keystore {
  constructor(
    private readonly current: Keystore,
    private readonly former: Keystore,
  ) {}

  createKey(keyId: string): Promise<Hex> {
    // A former key is never created: nothing could name it.
    return keyId.startsWith(FORMER_PREFIX) ? this.addressOf(keyId) : this.current.createKey(keyId);
  }

  addressOf(keyId: string): Promise<Hex> {
    const { keys, name } = this.find(keyId);
    return keys.addressOf(name);
  }

  signTransaction(keyId: string, transaction: UnsignedTransaction): Promise<SignedTransaction> {
    const { keys, name } = this.find(keyId);
    return keys.signTransaction(name, transaction);
  }

  senderOf(raw: Hex): Promise<Hex> {
    return this.current.senderOf(raw);
  }

  private find(keyId: string): { readonly keys: Keystore; readonly name: string } {
    return keyId.startsWith(FORMER_PREFIX)
      ? { keys: this.former, name: keyId.slice(FORMER_PREFIX.length) }
      : { keys: this.current, name: keyId };
  }
}

/**
 * Puts the former keystore beside the current one. Rejects with an Error when they have a key in common: the
 * replacement was then not done, and two senders would use the same nonces.
 *
 * @param currentKeyIds the names of the keys of the current keystore that may be used
 * @param formerKeyIds the names of the former keys, with {@link FORMER_PREFIX}
 */
export async function withFormerKeys(
  current: Keystore,
  former: Keystore,
  currentKeyIds: readonly string[],
  formerKeyIds: readonly string[],
): Promise<Keystore> {
  const keys = new KeystoreWithFormer(current, former);
  const addresses = new Set(await Promise.all(currentKeyIds.map((keyId) => keys.addressOf(keyId))));
  for (const keyId of formerKeyIds) {
    const address = await keys.addressOf(keyId);
    if (addresses.has(address))
      throw new Error(`the former keystore has the key ${address} of the current one: install another keystore`);
  }
  return keys;
}
