import { Inject } from '@nestjs/common';
import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { AmountOf, ResolveWallet, WalletRecord, WalletRelation } from '@ponte/contracts';
import { GetWhitelistedWallets } from '@ponte/contracts';
import type { MessageBus, ReplyOf, RequestContext } from '@ponte/event-sourcing';
import type { Chain } from '@ponte/kernel';
import { parseEvmAddress, unitsOf } from '@ponte/kernel';
import { MESSAGE_BUS, RequestQuery } from '@ponte/nest';
import type { ServedChains } from '../chain/served-chains.port';
import { SERVED_CHAINS } from '../chain/served-chains.port';
import type { Signer } from '../signer/signer.port';
import { SIGNER } from '../signer/signer.port';
import { TokenDestinations } from '../token-movement/token-destinations.service';
import { walletIdOf } from './wallet.decider';
import { WalletFunds } from '../wallet-funds/wallet-funds.service';
import { AccountWallets } from './account-wallets.service';

export class ResolveWalletQuery extends RequestQuery<typeof ResolveWallet> {}

/**
 * The account's own wallet is read from its stream, which has it as soon as it exists, and is in memory for most
 * orders. Only other addresses need a request to onboarding, which has the list of those that the account may use.
 */
@QueryHandler(ResolveWalletQuery)
export class ResolveWalletHandler implements IQueryHandler<ResolveWalletQuery> {
  constructor(
    private readonly wallets: AccountWallets,
    private readonly funds: WalletFunds,
    private readonly destinations: TokenDestinations,
    @Inject(SIGNER) private readonly signer: Signer,
    @Inject(SERVED_CHAINS) private readonly chains: ServedChains,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
  ) {}

  async execute({
    payload: { accountId, chain, address, tokens, pays = false, movementId },
    context,
  }: ResolveWalletQuery): Promise<ReplyOf<typeof ResolveWallet>> {
    const relation = await this.relation(accountId, chain, address, context);
    if (tokens !== null && this.chains.of(chain).tokens[tokens.asset] === undefined)
      return { relation, aboveMaximum: false, lacksContract: true, lacksTokens: false };
    const aboveMaximum = tokens !== null && this.isAboveMaximum(tokens);
    const source = pays && relation?.kind === 'internal' ? await this.wallets.get(accountId, relation.walletId) : null;
    if (source === null || tokens === null) return { relation, aboveMaximum, lacksTokens: false };
    const payment = { ...tokens, movementId };
    const { wallet, funds } = await (address === null
      ? this.funds.choosePayer(source, payment, context)
      : this.funds.checkPayer(source, payment, context));
    return { relation: wallet ? internal(wallet) : relation, aboveMaximum, lacksTokens: wallet === null, funds };
  }

  /** Asked here, where an order has to ask anyway, because the signer would never move the tokens. */
  private isAboveMaximum({ asset, amount }: AmountOf): boolean {
    return !this.signer.allowsAmount(asset, unitsOf(asset, amount));
  }

  private async relation(
    accountId: string,
    chain: Chain,
    wanted: string | null,
    context: RequestContext,
  ): Promise<WalletRelation | null> {
    const own = await this.ownWallet(accountId, chain);
    if (wanted === null) return own;
    const parsed = parseEvmAddress(wanted);
    if (!parsed.ok) return null;
    const { address } = parsed;
    if (own?.address === address) return own;
    const owner = await this.wallets.receiverAt(chain, address);
    if (owner?.accountId === accountId) return { kind: 'internal', walletId: owner.walletId, address };
    const external = await this.external(accountId, chain, address, context);
    return owner ? { ...external, ofAnotherAccount: true } : external;
  }

  /**
   * The list has only addresses, so a listed address counts on every chain, except where tokens sent to it would be
   * lost.
   */
  private async external(accountId: string, chain: Chain, address: string, context: RequestContext) {
    const { wallets } = await this.bus.request(GetWhitelistedWallets, { accountId }, context);
    const entry = wallets.find((one) => one.address === address);
    const listed = entry && (await this.destinations.lossAt(chain, address, context)) === null ? entry : undefined;
    const [whitelisted, fxWhitelisted] = [listed !== undefined, listed?.fx ?? false];
    return { kind: 'external', address, whitelisted, fxWhitelisted } as const;
  }

  private async ownWallet(accountId: string, chain: Chain): Promise<WalletRelation | null> {
    const wallet = await this.wallets.get(accountId, walletIdOf(accountId, chain));
    return wallet && internal(wallet);
  }
}

const internal = ({ id, address }: WalletRecord): WalletRelation => ({ kind: 'internal', walletId: id, address });
