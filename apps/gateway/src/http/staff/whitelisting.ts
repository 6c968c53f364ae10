import { GetWhitelistedWallets, wantedWallet, WhitelistWallet } from '@ponte/contracts';
import type { Call } from '../../edge/request-context';
import type { Services } from '../../edge/services';
import type { OperatorWalletDto, OperatorWhitelistDto } from './staff.dto';

/**
 * Puts a wallet on an account's list and answers how it stands there. Refuses what is no address before any message
 * carries it.
 */
export async function whitelist(
  services: Services,
  accountId: string,
  { address: text, fx = false }: OperatorWhitelistDto,
  call: Call,
): Promise<OperatorWalletDto> {
  const address = wantedWallet(text);
  await services.request(WhitelistWallet, { accountId, address, fx, source: 'operator' }, call);
  const { wallets } = await services.request(GetWhitelistedWallets, { accountId }, call);
  const listed = wallets.find((one) => one.address === address);
  if (!listed) throw new TypeError('a wallet that was put on the list does not stand there');
  return { address: listed.address, fx: listed.fx };
}
