import { GetWhitelistedWallets, parseWalletAddress, WhitelistWallet } from '@ponte/contracts';
import type { Call, Services } from '../edge/request-context.service';
import type { OperatorWalletDto, OperatorWhitelistDto } from './staff.dto';

/** Whitelists a wallet and returns its entry. Refuses a malformed address before a message is sent. */
export async function whitelist(
  services: Services,
  accountId: string,
  { address: text, fx = false }: OperatorWhitelistDto,
  call: Call,
): Promise<OperatorWalletDto> {
  const address = parseWalletAddress(text);
  await services.request(WhitelistWallet, { accountId, address, fx, source: 'operator' }, call);
  const { wallets } = await services.request(GetWhitelistedWallets, { accountId }, call);
  const listed = wallets.find((one) => one.address === address);
  if (!listed) throw new TypeError('the wallet was whitelisted but is not on the whitelist');
  return { address: listed.address, fx: listed.fx };
}
