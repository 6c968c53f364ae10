import { Inject } from '@nestjs/common';
import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { WalletRelation } from '@ponte/contracts';
import { GetWhitelistedWallets } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import type { Chain } from '@ponte/kernel';
import { parseEvmAddress } from '@ponte/kernel';
import { MESSAGE_BUS } from '@ponte/nest';
import { walletIdOf } from '../domain/wallet/wallet';
import { WalletReadModel } from '../wallet/wallets.read-model';
import { Wallets } from '../wallet/wallets.repository';

export class ResolveWalletQuery extends Query<WalletRelation | null> {
  constructor(
    readonly accountId: string,
    readonly chain: Chain,
    readonly address: string | null,
    readonly context: RequestContext,
  ) {
    super();
  }
}

/**
 * The account's own wallet is read from its stream, where it is the moment it exists, and where most orders find it in
 * memory. Only a foreign address costs a question to onboarding, which holds the list of those that the account may
 * use.
 */
@QueryHandler(ResolveWalletQuery)
export class ResolveWalletHandler implements IQueryHandler<ResolveWalletQuery> {
  constructor(
    private readonly wallets: Wallets,
    private readonly readModel: WalletReadModel,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
  ) {}

  async execute({ accountId, chain, address: wanted, context }: ResolveWalletQuery): Promise<WalletRelation | null> {
    const own = await this.ownWallet(accountId, chain);
    if (wanted === null) return own;
    const parsed = parseEvmAddress(wanted);
    if (!parsed.ok) return null;
    const { address } = parsed;
    if (own?.address === address) return own;
    const other = await this.readModel.byAddress(accountId, chain, address);
    if (other) return { kind: 'internal', walletId: other.id, address };
    return this.external({ accountId, chain, address }, context);
  }

  /** On every chain alike: the list names addresses. */
  private async external(
    { accountId, chain, address }: { readonly accountId: string; readonly chain: Chain; readonly address: string },
    context: RequestContext,
  ): Promise<WalletRelation> {
    const [{ wallets }, other] = await Promise.all([
      this.bus.request(GetWhitelistedWallets, { accountId }, context),
      this.readModel.atAddress(chain, address),
    ]);
    const listed = wallets.find((one) => one.address === address);
    const [whitelisted, fxWhitelisted] = [listed !== undefined, listed?.fx ?? false];
    const relation = { kind: 'external', address, whitelisted, fxWhitelisted } as const;
    return other ? { ...relation, ofAnotherAccount: true } : relation;
  }

  private async ownWallet(accountId: string, chain: Chain): Promise<WalletRelation | null> {
    // A wallet that exists stays what it is.
    const state = await this.wallets.load(walletIdOf(accountId, chain), ({ status }) => status === 'created');
    return state.status === 'created' ? { kind: 'internal', walletId: state.id, address: state.address } : null;
  }
}
