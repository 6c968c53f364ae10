import type { AssetId } from '@ponte/kernel';
import { ASSET_SHORT_NAMES, assetsBySymbol } from '@ponte/kernel';
import type { AccountRequest } from '../edge/request-context.service';
import { ApiError } from '../errors/api-error';

const SHORT_NAMES = ASSET_SHORT_NAMES.join(', ');

/** The error for a path whose asset is not a short name. The full name of a quote is the usual mistake. */
export const unknownAsset = (): ApiError =>
  new ApiError('route-not-found', {
    message: `The asset in a path is one of ${SHORT_NAMES}, without its chain, as in /assets/brl/balance.`,
  });

/** The assets of the short name in the path. Throws `route-not-found` when there is no such name. */
export function pathAssets({ params }: AccountRequest): readonly AssetId[] {
  const assets = assetsBySymbol(params['asset'] ?? '');
  if (!assets) throw unknownAsset();
  return assets;
}
