import type { AssetId } from '@ponte/kernel';
import { assetsBySymbol } from '@ponte/kernel';
import type { AccountRequest } from '../edge/request-context';
import { notFound } from '../errors/api-error';

/** The assets behind the short name in the path. One that is unknown makes no route. */
export function pathAssets({ params }: AccountRequest): readonly AssetId[] {
  const assets = assetsBySymbol(params['asset'] ?? '');
  if (!assets) throw notFound('route-not-found');
  return assets;
}
