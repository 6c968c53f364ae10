import type { Hex } from '../../chain/chain.port';
import type { Keystore, SignedTransaction, UnsignedTransaction } from '../signer.port';

/** A keystore, and beside it former ones, whose keys have names that begin with a prefix of their own. */
class KeystoreWithFormer implements Keystore {
  /** The longest prefix first, because one may begin with another. */
  private readonly prefixes: readonly string[];

  constructor(
    private readonly current: Keystore,
    private readonly former: ReadonlyMap<string, Keystore>,
  ) {
    this.prefixes = [...former.keys()].sort((a, b) => b.length - a.length);
  }

  createKey(keyId: string): Promise<Hex> {
    // A former key is never created: nothing could name it.
    return this.find(keyId).keys === this.current ? this.current.createKey(keyId) : this.addressOf(keyId);
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
    const prefix = this.prefixes.find((one) => keyId.startsWith(one)) ?? '';
    return { keys: this.former.get(prefix) ?? this.current, name: keyId.slice(prefix.length) };
  }
}

/**
 * Puts former keystores beside the current one. Rejects with an Error when two of them have a key in common: the
 * replacement was then not done, and two senders would use the same nonces.
 *
 * @param former by the prefix of the names of their keys
 * @param currentKeyIds the names of the keys of the current keystore that may be used
 * @param formerKeyIds the names of the former keys, with their prefixes
 */
export async function withFormerKeys(
  current: Keystore,
  former: ReadonlyMap<string, Keystore>,
  currentKeyIds: readonly string[],
  formerKeyIds: readonly string[],
): Promise<Keystore> {
  const keys = new KeystoreWithFormer(current, former);
  const currentOnes = new Set(await Promise.all(currentKeyIds.map((keyId) => keys.addressOf(keyId))));
  const formerOnes = new Set<Hex>();
  for (const keyId of formerKeyIds) {
    const address = await keys.addressOf(keyId);
    if (currentOnes.has(address))
      throw new Error(`the former keystore has the key ${address} of the current one: install another keystore`);
    if (formerOnes.has(address))
      throw new Error(`two former keystores have the key ${address}: remove one of them, or install another keystore`);
    formerOnes.add(address);
  }
  return keys;
}
