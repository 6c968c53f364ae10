import type { Chain } from '@ponte/kernel';
import { derivedId } from '@ponte/kernel';

/** The house's wallet on a chain: it pays the USDC and USDT that customers buy and receives those that they sell. */
export const treasuryWalletId = (chain: Chain): string => derivedId('wallet', 'treasury', chain);
