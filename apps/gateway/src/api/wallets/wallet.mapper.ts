import type { WalletFilters, WalletRecord } from '@ponte/contracts';
import type { AssetId } from '@ponte/kernel';
import { wordsOf } from '../../console-api/query-words';
import type { WalletDto, WalletsQuery } from './wallet.dto';

export const walletDto = ({ id, name, address, assets, uiEnabled, metadata }: WalletRecord): WalletDto => ({
  id,
  name,
  address,
  assets: [...assets],
  'ui-enabled': uiEnabled,
  metadata: { ...metadata },
});

/** An absent filter matches every wallet. Addresses are compared in lower case. */
export const walletFilters = ({ assets, addresses }: WalletsQuery): WalletFilters => ({
  assets: assets === undefined ? null : wordsOf<AssetId>(assets),
  addresses: addresses === undefined ? null : wordsOf(addresses).map((one) => one.toLowerCase()),
});
