import type { Hex } from '../../../chain/chain.port';
import type { KeyStore, SignedTransaction, Signer, SigningIntent, UnsignedTransaction } from '../../signer.port';
import type { CallDecoder } from './call-decoder';
import type { HourlyLimits } from '../../../signer-policy/signing-policy';
import { SigningRefused } from '../../../signer-policy/signing-policy';

/**
 * A key store that signs only what the policy allows: by an operator key, on a chain of ours, a call that we make, of a
 * token of ours, within the limits. Nothing else reaches the keys, whatever the rest of the service is made to ask for.
 */
export class PolicedSigner implements Signer {
  constructor(
    private readonly keys: KeyStore,
    private readonly operatorKeyIds: readonly string[],
    private readonly decoder: CallDecoder,
    private readonly limits: HourlyLimits,
  ) {}

  createKey(keyId: string): Promise<Hex> {
    return this.keys.createKey(keyId);
  }

  addressOf(keyId: string): Promise<Hex> {
    return this.keys.addressOf(keyId);
  }

  async authorize(keyId: string, intent: SigningIntent): Promise<void> {
    if (!this.operatorKeyIds.includes(keyId)) throw new SigningRefused('key', 'the key is not an operator key');
    this.limits.take(this.decoder.decode(intent));
  }

  async signTransaction(keyId: string, transaction: UnsignedTransaction): Promise<SignedTransaction> {
    await this.authorize(keyId, transaction);
    return this.keys.signTransaction(keyId, transaction);
  }
}
