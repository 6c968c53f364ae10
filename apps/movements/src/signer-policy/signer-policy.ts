import type { AssetId } from '@ponte/kernel';
import { Money, assetOf, isAssetId, isToken, toOnChainFloor } from '@ponte/kernel';
import type { Deployment } from '../adapters/chain/deployment';
import type { KeyStore } from '../ports/signer';
import { CallDecoder } from './call-decoder';
import { PolicedSigner } from './policed-signer.adapter';
import type { AssetLimits } from './signing-policy';
import { HourlyLimits } from './signing-policy';

/** Whole tokens, as decimal strings, by asset; the rest has the default. */
export type SignerLimits = Readonly<Partial<Record<AssetId, { readonly transaction: string; readonly hour: string }>>>;

/** The most that an order may be of, and ten such orders. */
export const DEFAULT_LIMITS = { transaction: '10000000', hour: '100000000' } as const;

/** Reads SIGNER_LIMITS. Throws an Error that names the asset at fault. */
export function parseSignerLimits(text: string): SignerLimits {
  const limits = JSON.parse(text) as Record<string, { transaction?: unknown; hour?: unknown }>;
  for (const [asset, limit] of Object.entries(limits)) {
    const valid = isAssetId(asset) && isToken(asset) && typeof limit.transaction === 'string' && typeof limit.hour === 'string';
    if (!valid) throw new Error(`${asset} must be a token with the decimal strings transaction and hour`);
    for (const amount of [limit.transaction, limit.hour]) Money.parse(asset, amount as string);
  }
  return limits as SignerLimits;
}

/** The key store behind the policy. `now` is the machine's clock, epoch milliseconds. */
export function policedSigner(
  keys: KeyStore, { operatorKeyIds, deployments, limits, now }: {
    readonly operatorKeyIds: readonly string[]; readonly deployments: readonly Deployment[]; readonly limits: SignerLimits; readonly now: () => number;
  },
): PolicedSigner {
  const units = (asset: AssetId, amount: string): bigint => toOnChainFloor(Money.parse(asset, amount)).units;
  const limitsOf = (asset: AssetId): AssetLimits => {
    const { transaction, hour } = limits[asset] ?? DEFAULT_LIMITS;
    return { perTransaction: units(asset, transaction), perHour: units(asset, hour) };
  };
  const known = new Map(deployments.flatMap(({ tokens }) => Object.keys(tokens) as AssetId[]).filter((asset) => assetOf(asset).chain !== undefined).map((asset) => [asset, limitsOf(asset)]));
  return new PolicedSigner(keys, operatorKeyIds, new CallDecoder(deployments), new HourlyLimits((asset) => known.get(asset) ?? limitsOf(asset), now));
}
