import { Inject } from '@nestjs/common';
import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { GetWalletBalances, WalletBalances } from '@ponte/contracts';
import type { Clock } from '@ponte/kernel';
import { fromOnChain, isoTime, refuse } from '@ponte/kernel';
import { CLOCK, RequestQuery } from '@ponte/nest';
import type { Hex } from '../chain/chain.port';
import type { ServedChains } from '../chain/served-chains.port';
import { SERVED_CHAINS } from '../chain/served-chains.port';
import { AccountWallets } from './account-wallets.service';

export class GetWalletBalancesQuery extends RequestQuery<typeof GetWalletBalances> {}

/** Reads the chain: the ledger knows the balance of an account, but not that of each wallet. */
@QueryHandler(GetWalletBalancesQuery)
export class GetWalletBalancesHandler implements IQueryHandler<GetWalletBalancesQuery> {
  constructor(
    private readonly wallets: AccountWallets,
    @Inject(SERVED_CHAINS) private readonly chains: ServedChains,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ payload: { accountId, walletId } }: GetWalletBalancesQuery): Promise<WalletBalances> {
    const wallet = await this.wallets.get(accountId, walletId);
    if (!wallet) return refuse('wallet-not-found', 'the account has no such wallet');
    const { evm } = this.chains.of(wallet.chain);
    const asOf = isoTime(this.clock.now());
    const reads = wallet.assets.map(async (asset) => {
      const units = await evm.tokenBalance(asset, wallet.address as Hex);
      return { asset, amount: fromOnChain(asset, units).toString() };
    });
    return { balances: await Promise.all(reads), asOf };
  }
}
