import type { Chain } from '@ponte/kernel';
import { derivedId } from '@ponte/kernel';

/**
 * The treasury's wallet on a chain, which sends the USDC and USDT that customers buy and receives those that they sell.
 */
export const treasuryWalletId = (chain: Chain): string => derivedId('wallet', 'treasury', chain);
