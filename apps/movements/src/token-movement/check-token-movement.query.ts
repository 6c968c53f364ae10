import { Inject } from '@nestjs/common';
import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { CheckTokenMovement } from '@ponte/contracts';
import type { PayloadOf, ReplyOf, RequestContext } from '@ponte/event-sourcing';
import { Money, refuse, refuseAll, unitsOf, violation, violationsFrom } from '@ponte/kernel';
import { RequestQuery } from '@ponte/nest';
import type { ServedChains } from '../chain/served-chains.port';
import { SERVED_CHAINS } from '../chain/served-chains.port';
import type { Signer } from '../signer/signer.port';
import { SIGNER } from '../signer/signer.port';
import { WalletFunds } from '../wallet-funds/wallet-funds.service';
import type { MovementsSettings } from '../movements-settings.port';
import { SETTINGS } from '../movements-settings.port';
import { ABOVE_MAXIMUM, addressAt, chainOfToken } from './chain-values.domain';
import { withdrawalMinimumViolations } from './minimum-amounts.domain';
import { TokenDestinations } from './token-destinations.service';

const LACKS_TOKENS = violation(
  'insufficient-balance',
  'amount',
  'other orders, transfers or withdrawals take the tokens of the wallets: try again when they have ended, or use less',
);

/** Whether tokens of an account could be sent to an address now. */
export class CheckTokenMovementQuery extends RequestQuery<typeof CheckTokenMovement> {}

@QueryHandler(CheckTokenMovementQuery)
export class CheckTokenMovementHandler implements IQueryHandler<CheckTokenMovementQuery> {
  constructor(
    private readonly destinations: TokenDestinations,
    private readonly funds: WalletFunds,
    @Inject(SERVED_CHAINS) private readonly chains: ServedChains,
    @Inject(SIGNER) private readonly signer: Signer,
    @Inject(SETTINGS) private readonly settings: MovementsSettings,
  ) {}

  async execute({ payload, context }: CheckTokenMovementQuery): Promise<ReplyOf<typeof CheckTokenMovement>> {
    return { violations: await violationsFrom(() => this.check(payload, context)) };
  }

  /** Refuses with everything that is wrong. */
  private async check(
    { accountId, asset, amount, destination, movementId, holds, available }: PayloadOf<typeof CheckTokenMovement>,
    context: RequestContext,
  ): Promise<void> {
    const { evm, tokens } = this.chains.of(chainOfToken(asset));
    if (tokens[asset] === undefined) refuse('asset-not-supported', `${asset} has no contract here`, 'asset');
    const isAboveMaximum = amount !== null && !this.signer.allowsAmount(asset, unitsOf(asset, amount));
    const belowMinimum =
      amount === null || available === undefined
        ? []
        : withdrawalMinimumViolations(
            Money.stored(asset, amount),
            Money.stored(asset, available),
            this.settings.minimumAmounts,
          );
    const receivable = async () => {
      const address = addressAt('destination', destination);
      await this.destinations.receiverAt({ accountId, chain: evm.chain, address, sources: null }, context);
    };
    const isCovered = async () => {
      if (amount === null || movementId === undefined) return;
      const { lackTokens } = await this.funds.orderPayers(accountId, { asset, amount, movementId, holds }, context);
      if (lackTokens) refuseAll([LACKS_TOKENS]);
    };
    refuseAll([
      ...belowMinimum,
      ...(isAboveMaximum ? [ABOVE_MAXIMUM] : []),
      ...(await violationsFrom(receivable)),
      ...(await violationsFrom(isCovered)),
    ]);
  }
}
