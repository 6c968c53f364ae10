import { Inject, Injectable } from '@nestjs/common';
import type { CreateTransferPayload, SourceFunds, WalletRecord } from '@ponte/contracts';
import { GetBalance, PlaceHold } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import { stepContext } from '@ponte/event-sourcing';
import { Money, Refusal, furtherViolationsFrom, refuse } from '@ponte/kernel';
import { MESSAGE_BUS } from '@ponte/nest';
import { WalletFunds } from '../wallet-funds/wallet-funds.service';

/** How often a hold is placed that is refused because others took tokens of the wallet since its funds were read. */
const MAX_ATTEMPTS = 3;

/** The open hold that keeps the tokens of a transfer, and the wallet that pays them. */
export interface TransferHold {
  readonly holdId: string;
  /** The wallet that pays. */
  readonly source: WalletRecord;
  /** Those of the wallet, if they are known. */
  readonly funds: SourceFunds | undefined;
}

/** The tokens that pay for a new transfer. */
@Injectable()
export class TransferFunds {
  constructor(
    private readonly funds: WalletFunds,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
  ) {}

  /** Refuses `insufficient-balance` as the hold would because of the account's balance, without placing one. */
  async checkBalance({ accountId, asset, amount }: CreateTransferPayload, context: RequestContext): Promise<void> {
    const { available } = await this.bus.request(GetBalance, { accountId, assets: [asset] }, context);
    if (Money.stored(asset, available).compare(Money.parse(asset, amount)) < 0)
      refuse('insufficient-balance', 'the available balance does not cover the amount', 'amount');
  }

  /** The funds of the wallet, if they are known. Refuses `insufficient-balance` if it is known to hold too little. */
  async of(
    source: WalletRecord,
    { transferId: movementId, asset, amount }: CreateTransferPayload,
    context: RequestContext,
  ): Promise<SourceFunds | undefined> {
    const { wallet, funds } = await this.funds.checkPayer(source, { asset, amount, movementId }, context);
    if (wallet) return funds;
    return refuse(
      'insufficient-balance',
      'the source wallet holds less than the amount, or other orders, transfers and withdrawals take its tokens: ' +
        'name a source wallet that holds all of it, or transfer less',
      'amount',
    );
  }

  /**
   * Places the hold. Refuses `insufficient-balance` and `hold-not-open`. If others took tokens since the funds were
   * read, the funds are read again: a withdrawal counts in full until it is known which wallets can pay it.
   */
  async hold(payload: CreateTransferPayload, wanted: TransferHold, context: RequestContext): Promise<void> {
    const { transferId, accountId, asset, amount } = payload;
    const { holdId, source } = wanted;
    const paying = { walletId: source.id, movementId: transferId };
    const hold = { holdId, owner: { kind: 'transfer', id: transferId }, asset, amount, source: paying } as const;
    const once = stepContext(context, 'place-hold', holdId, context.commandId);
    let { funds } = wanted;
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.bus.request(PlaceHold, { accountId, hold, funds }, once);
        return;
      } catch (error) {
        const lacksTokens = error instanceof Refusal && error.code === 'insufficient-balance';
        if (!funds || !lacksTokens || attempt >= MAX_ATTEMPTS) throw error;
        if ((await furtherViolationsFrom(() => this.checkBalance(payload, context))).length > 0) throw error;
        funds = await this.of(source, payload, context);
      }
    }
  }
}
