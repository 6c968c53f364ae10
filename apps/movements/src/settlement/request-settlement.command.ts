import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { SettlementPayload, TransactionPurpose, SettlementKind } from '@ponte/contracts';
import type { Chain } from '@ponte/kernel';
import { Unavailable, refuse } from '@ponte/kernel';
import { PayloadCommand } from '@ponte/nest';
import { transactionIdOf } from '../transactions/chain-transaction.state';
import { saltOf, treasuryWalletId } from '../wallet/wallet.decider';
import type { ServedChains } from '../chain/served-chains.port';
import { SERVED_CHAINS } from '../chain/served-chains.port';
import { addressAt, chainOfToken, movableAmount } from '../token-movement/chain-values.domain';
import { ChainTransactions } from '../transactions/chain-transactions.service';
import { Sender } from '../sending/sender.service';
import { AccountWallets } from '../wallet/account-wallets.service';

export class RequestSettlementCommand extends PayloadCommand<SettlementPayload, { settlementId: string }> {}

/**
 * Requests what an order needs on its chain: a mint, a redemption, or a movement from or to the treasury wallet.
 * Resolves as soon as the intent is durable. Refuses with `asset-not-supported`; rejects with `service-unavailable`
 * when the source wallet is not found.
 */
@CommandHandler(RequestSettlementCommand)
export class RequestSettlementHandler implements ICommandHandler<RequestSettlementCommand> {
  constructor(
    private readonly transactions: ChainTransactions,
    private readonly sender: Sender,
    private readonly wallets: AccountWallets,
    @Inject(SERVED_CHAINS) private readonly chains: ServedChains,
  ) {}

  async execute({ payload, context }: RequestSettlementCommand): Promise<{ settlementId: string }> {
    const { settlementId, asset, screenedAt } = payload;
    const chain = chainOfToken(asset);
    if (this.chains.of(chain).tokens[asset] === undefined)
      refuse('asset-not-supported', `${asset} has no contract here`, 'asset');
    const transactionId = transactionIdOf({ kind: purposeKindOf(payload.kind), id: settlementId });
    const recorded = await this.transactions.load(transactionId);
    // A recorded intent does not change, even if the account has other wallets by now.
    const purpose = recorded.status === 'absent' ? await this.purposeOf(payload, chain) : recorded.intent.purpose;
    await this.sender.request(purpose, chain, context, { screenedAt });
    return { settlementId };
  }

  private async purposeOf(payload: SettlementPayload, chain: Chain): Promise<TransactionPurpose> {
    const { settlementId: id, orderId, accountId, kind, asset, brlAmount } = payload;
    const amount = movableAmount(asset, payload.amount).toString();
    const wallet = addressAt('wallet', payload.wallet);
    switch (kind) {
      case 'mint':
      case 'vault-deposit':
        return {
          kind: 'mint',
          id,
          orderId,
          accountId,
          asset,
          amount,
          to: wallet,
          ...(kind === 'mint' ? {} : { maxBrl: brlAmount }),
        };
      case 'burn':
      case 'vault-redeem': {
        const walletIds = [await this.source(accountId, chain, wallet)];
        return {
          kind: 'redemption',
          id,
          orderId,
          accountId,
          asset,
          amount,
          walletIds,
          minBrl: kind === 'burn' ? null : brlAmount,
        };
      }
      case 'treasury-payment': {
        const receiver = await this.wallets.receiverAt(chain, wallet);
        return this.movement(payload, amount, {
          walletIds: [treasuryWalletId(chain)],
          from: this.treasuryOf(chain),
          to: wallet,
          receiver,
        });
      }
      case 'treasury-receipt': {
        const walletIds = [await this.source(accountId, chain, wallet)];
        return this.movement(payload, amount, { walletIds, from: wallet, to: this.treasuryOf(chain), receiver: null });
      }
    }
  }

  private movement(
    { settlementId: id, orderId, accountId, asset }: SettlementPayload,
    amount: string,
    path: Pick<Extract<TransactionPurpose, { kind: 'token-movement' }>, 'walletIds' | 'from' | 'to' | 'receiver'>,
  ): TransactionPurpose {
    return { kind: 'token-movement', id, owner: { kind: 'order', id: orderId }, accountId, asset, amount, ...path };
  }

  private treasuryOf(chain: Chain): string {
    return this.chains.of(chain).evm.walletAddress(saltOf(treasuryWalletId(chain)));
  }

  /** The wallet of the order. No other wallet pays, so that the order says where the tokens came from. */
  private async source(accountId: string, chain: Chain, address: string): Promise<string> {
    const wallet = await this.wallets.byAddress(accountId, chain, address);
    // The wallet was found when the order was accepted.
    if (!wallet) throw new Unavailable('service-unavailable');
    return wallet.id;
  }
}

/** What the chain does for a settlement: mint, redeem, or move tokens to or from the treasury. */
export function purposeKindOf(kind: SettlementKind): TransactionPurpose['kind'] {
  switch (kind) {
    case 'mint':
    case 'vault-deposit':
      return 'mint';
    case 'burn':
    case 'vault-redeem':
      return 'redemption';
    case 'treasury-payment':
    case 'treasury-receipt':
      return 'token-movement';
  }
}
