import type { AssetId } from '@ponte/kernel';
import { Money, assetOf, toOnChainFloor } from '@ponte/kernel';
import { parseTransaction } from 'viem';
import type { Hex } from '../../../chain/chain.port';
import type { Fees, Keystore, SignedTransaction, Signer, SigningIntent, UnsignedTransaction } from '../../signer.port';
import { CallDecoder } from './call-decoder';
import type { AssetLimits, DecodedCall, LimitedAsset, SignerLimits } from '../../../signer-policy/signing-policy';
import {
  SigningRefused,
  DEFAULT_CERTIFICATE_LIMITS,
  DEFAULT_LIMITS,
  HourlyLimits,
} from '../../../signer-policy/signing-policy';
import type { Deployment } from '../../../chain/adapters/deployment';

/**
 * A keystore that signs only what the policy allows: one of our calls, of one of our tokens, on one of our chains, by
 * an operator key, within the limits; or a transaction that only uses a nonce of its key. Nothing else reaches the
 * keys, whatever the rest of the service requests.
 */
class PolicedSigner implements Signer {
  private readonly hourly: HourlyLimits;

  constructor(
    private readonly keys: Keystore,
    private readonly operatorKeyIds: readonly string[],
    private readonly decoder: CallDecoder,
    private readonly limits: (asset: LimitedAsset) => AssetLimits,
    now: () => number,
  ) {
    this.hourly = new HourlyLimits(limits, now);
  }

  createKey(keyId: string): Promise<Hex> {
    return this.keys.createKey(keyId);
  }

  addressOf(keyId: string): Promise<Hex> {
    return this.keys.addressOf(keyId);
  }

  async authorize(keyId: string, intent: SigningIntent, isNumbered = false): Promise<void> {
    this.assertOperator(keyId);
    if (isEmpty(intent) && this.decoder.fillsNonce(intent, await this.keys.addressOf(keyId))) return;
    this.hourly.take(this.decoder.decode(intent), isNumbered);
  }

  allowsAmount(asset: AssetId, units: bigint): boolean {
    return units <= this.limits(asset).perTransaction;
  }

  async signTransaction(keyId: string, transaction: UnsignedTransaction): Promise<SignedTransaction> {
    await this.authorize(keyId, transaction);
    return this.keys.signTransaction(keyId, transaction);
  }

  senderOf(raw: Hex): Promise<Hex> {
    return this.keys.senderOf(raw);
  }

  async signReplacement(keyId: string, raw: Hex, fees: Fees): Promise<SignedTransaction> {
    this.assertOperator(keyId);
    const [sender, address] = await Promise.all([this.keys.senderOf(raw), this.keys.addressOf(keyId)]);
    if (sender !== address) throw new SigningRefused('key', 'the key has not signed the bytes to replace');
    const call = callIn(raw);
    this.decoder.decode(call);
    const { nonce = 0, gas = 0n } = parseTransaction(raw as DynamicFeeBytes);
    return this.keys.signTransaction(keyId, { ...call, nonce, gas, ...fees });
  }

  count(raw: Hex, ageMs: number): void {
    let call: DecodedCall;
    try {
      call = this.decoder.decode(callIn(raw));
    } catch {
      return;
    }
    this.hourly.count(call, ageMs);
  }

  private assertOperator(keyId: string): void {
    if (!this.operatorKeyIds.includes(keyId)) throw new SigningRefused('key', 'the key is not an operator key');
  }
}

type DynamicFeeBytes = `0x02${string}`;

/** The call in signed bytes. */
function callIn(raw: Hex): SigningIntent {
  const { chainId, to, data, value } = parseTransaction(raw as DynamicFeeBytes);
  return { chainId, to: to ?? undefined, data, value };
}

const isEmpty = ({ data = '0x' }: SigningIntent): boolean => data === '0x';

/** Puts the policy in front of a keystore. `now` is the machine's clock, epoch milliseconds. */
export function policedSigner(
  keys: Keystore,
  {
    operatorKeyIds,
    deployments,
    limits,
    now,
  }: {
    readonly operatorKeyIds: readonly string[];
    readonly deployments: readonly Deployment[];
    readonly limits: SignerLimits;
    readonly now: () => number;
  },
): PolicedSigner {
  const units = (asset: AssetId, amount: string): bigint => toOnChainFloor(Money.parse(asset, amount)).units;
  const within = (perTransaction: bigint, perHour: bigint): AssetLimits => ({
    perTransaction: perTransaction < perHour ? perTransaction : perHour,
    perHour,
  });
  const limitsOf = (asset: LimitedAsset): AssetLimits => {
    if (asset === 'certificate') {
      const { transaction, hour } = limits.certificate ?? DEFAULT_CERTIFICATE_LIMITS;
      return within(BigInt(transaction), BigInt(hour));
    }
    const { transaction, hour } = limits[asset] ?? DEFAULT_LIMITS;
    return within(units(asset, transaction), units(asset, hour));
  };
  const known = new Map<LimitedAsset, AssetLimits>(
    deployments
      .flatMap(({ tokens }) => Object.keys(tokens) as AssetId[])
      .filter((asset) => assetOf(asset).chain !== undefined)
      .map((asset) => [asset, limitsOf(asset)]),
  );
  return new PolicedSigner(
    keys,
    operatorKeyIds,
    new CallDecoder(deployments),
    (asset) => known.get(asset) ?? limitsOf(asset),
    now,
  );
}
