import type { AssetId } from '@ponte/kernel';
import { Money, assetOf, toOnChainFloor } from '@ponte/kernel';
import type { Deployment } from '../../../chain/adapters/deployment';
import type { KeyStore } from '../../signer.port';
import { CallDecoder } from './call-decoder';
import { PolicedSigner } from './policed-signer';
import type { AssetLimits, LimitedAsset, SignerLimits } from '../../../signer-policy/signing-policy';
import { DEFAULT_CERTIFICATE_LIMITS, DEFAULT_LIMITS, HourlyLimits } from '../../../signer-policy/signing-policy';

/** The key store behind the policy. `now` is the machine's clock, epoch milliseconds. */
export function policedSigner(
  keys: KeyStore,
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
  const limitsOf = (asset: LimitedAsset): AssetLimits => {
    if (asset === 'certificate') {
      const { transaction, hour } = limits.certificate ?? DEFAULT_CERTIFICATE_LIMITS;
      return { perTransaction: BigInt(transaction), perHour: BigInt(hour) };
    }
    const { transaction, hour } = limits[asset] ?? DEFAULT_LIMITS;
    return { perTransaction: units(asset, transaction), perHour: units(asset, hour) };
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
    new HourlyLimits((asset) => known.get(asset) ?? limitsOf(asset), now),
  );
}
