import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { ChangeWalletMetadata, WalletRecord } from '@ponte/contracts';
import { GetAccount } from '@ponte/contracts';
import type { MessageBus, PayloadOf } from '@ponte/event-sourcing';
import { refuse } from '@ponte/kernel';
import { MESSAGE_BUS, PayloadCommand } from '@ponte/nest';
import { refuseUnknownWallet, walletRecord } from './wallet.decider';
import { Wallets } from './wallets.repository';

export class ChangeWalletMetadataCommand extends PayloadCommand<PayloadOf<typeof ChangeWalletMetadata>, WalletRecord> {}

@CommandHandler(ChangeWalletMetadataCommand)
export class ChangeWalletMetadataHandler implements ICommandHandler<ChangeWalletMetadataCommand> {
  constructor(
    private readonly wallets: Wallets,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
  ) {}

  async execute({
    payload: { accountId, walletId, metadata, uiEnabled },
    context,
  }: ChangeWalletMetadataCommand): Promise<WalletRecord> {
    const state = await this.wallets.execute(
      walletId,
      async (at: string) => {
        const account = await this.bus.request(GetAccount, { accountId }, context);
        if (account?.status !== 'active') refuse('account-not-active', 'the account is not active');
        return { kind: 'change-metadata', accountId, metadata, uiEnabled, at } as const;
      },
      context,
    );
    const record = walletRecord(state);
    if (!record) return refuseUnknownWallet();
    return record;
  }
}
