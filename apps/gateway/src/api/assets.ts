import type { AssetId } from '@ponte/kernel';
import { assetsBySymbol } from '@ponte/kernel';
import type { AccountRequest } from '../edge/request-context';
import { notFound } from '../errors/api-error';

/** The assets of the short name in the path. Throws `route-not-found` when there is no such name. */
export function pathAssets({ params }: AccountRequest): readonly AssetId[] {
  const assets = assetsBySymbol(params['asset'] ?? '');
  if (!assets) throw notFound('route-not-found');
  return assets;
}
