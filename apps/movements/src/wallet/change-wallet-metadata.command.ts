import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ChangeWalletMetadata, WalletRecord } from '@ponte/contracts';
import { GetAccount } from '@ponte/contracts';
import type { MessageBus, PayloadOf, RequestContext } from '@ponte/event-sourcing';
import { Aggregates } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { refuse } from '@ponte/kernel';
import { CLOCK, MESSAGE_BUS, commandContext } from '@ponte/nest';
import { refuseUnknownWallet, wallet, walletRecord } from '../domain/wallet/wallet';
import { WalletsView } from '../views/wallets';

export class ChangeWalletMetadataCommand extends Command<WalletRecord> {
  constructor(
    readonly payload: PayloadOf<typeof ChangeWalletMetadata>,
    readonly context: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(ChangeWalletMetadataCommand)
export class ChangeWalletMetadataHandler implements ICommandHandler<ChangeWalletMetadataCommand> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly view: WalletsView,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({
    payload: { accountId, walletId, metadata, uiEnabled },
    context,
  }: ChangeWalletMetadataCommand): Promise<WalletRecord> {
    const { state, revision } = await this.aggregates.handle(
      wallet,
      walletId,
      async (at: string) => {
        const account = await this.bus.request(GetAccount, { accountId }, context);
        if (account?.status !== 'active') refuse('account-not-active', 'the account is not active');
        return { kind: 'change-metadata', accountId, metadata, uiEnabled, at } as const;
      },
      commandContext(context, this.clock),
    );
    const record = walletRecord(state);
    if (!record) return refuseUnknownWallet();
    await this.view.show(record, revision, context);
    return record;
  }
}
