import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { WalletRelation } from '@ponte/contracts';
import { Aggregates } from '@ponte/event-sourcing';
import type { Chain } from '@ponte/kernel';
import { parseEvmAddress } from '@ponte/kernel';
import { wallet, walletIdOf } from '../domain/wallet/wallet';
import { WalletsView } from '../views/wallets';

export class ResolveWalletQuery extends Query<WalletRelation | null> {
  constructor(readonly accountId: string, readonly chain: Chain, readonly address: string | null) { super(); }
}

/** The account's own wallet is read from its stream, where it is the moment it exists, and where most orders find it in memory. */
@QueryHandler(ResolveWalletQuery)
export class ResolveWalletHandler implements IQueryHandler<ResolveWalletQuery> {
  constructor(private readonly aggregates: Aggregates, private readonly view: WalletsView) {}

  async execute({ accountId, chain, address: wanted }: ResolveWalletQuery): Promise<WalletRelation | null> {
    const own = await this.ownWallet(accountId, chain);
    if (wanted === null) return own;
    const parsed = parseEvmAddress(wanted);
    if (!parsed.ok) return null;
    const { address } = parsed;
    if (own?.address === address) return own;
    const other = await this.view.byAddress(accountId, chain, address);
    return other ? { kind: 'internal', walletId: other.id, address } : { kind: 'external', address, whitelisted: false, fxWhitelisted: false };
  }

  private async ownWallet(accountId: string, chain: Chain): Promise<WalletRelation | null> {
    const { state } = await this.aggregates.load(wallet, walletIdOf(accountId, chain));
    return state.status === 'created' ? { kind: 'internal', walletId: state.id, address: state.address } : null;
  }
}
