import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { CreateWallet, WalletRecord } from '@ponte/contracts';
import { GetAccount } from '@ponte/contracts';
import type { MessageBus, PayloadOf, RequestContext } from '@ponte/event-sourcing';
import { stepContext } from '@ponte/event-sourcing';
import { refuse } from '@ponte/kernel';
import { MESSAGE_BUS, PayloadCommand } from '@ponte/nest';
import { refuseUnknownWallet, saltOf, walletRecord } from './wallet.decider';
import type { ServedChains } from '../chain/served-chains.port';
import { SERVED_CHAINS } from '../chain/served-chains.port';
import { AccountWallets } from './account-wallets.service';
import { walletSlotsId } from './wallet-slots.decider';
import { WalletSlotStreams, Wallets } from './wallets.repository';

export class CreateWalletCommand extends PayloadCommand<PayloadOf<typeof CreateWallet>, WalletRecord> {}

/** Creates another wallet of an account. Nothing is deployed for it: its address follows from its id. */
@CommandHandler(CreateWalletCommand)
export class CreateWalletHandler implements ICommandHandler<CreateWalletCommand> {
  constructor(
    private readonly wallets: Wallets,
    private readonly slots: WalletSlotStreams,
    private readonly ofAccount: AccountWallets,
    @Inject(SERVED_CHAINS) private readonly chains: ServedChains,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
  ) {}

  async execute({ payload, context }: CreateWalletCommand): Promise<WalletRecord> {
    const { accountId, walletId, chain } = payload;
    const state = await this.wallets.execute(
      walletId,
      async (at: string) => {
        const account = await this.bus.request(GetAccount, { accountId }, context);
        if (account?.status !== 'active') return refuse('account-not-active', 'the account is not active');
        await this.takeSlot(payload, context);
        const address = this.chains.of(chain).evm.walletAddress(saltOf(walletId));
        await this.ofAccount.claimAddress({ accountId, walletId, chain, address, at }, context);
        return { kind: 'create', parentId: account.parentId, address, at, ...payload } as const;
      },
      context,
    );
    const record = walletRecord(state);
    if (record?.accountId !== accountId) return refuseUnknownWallet();
    return record;
  }

  private async takeSlot(
    { accountId, walletId, chain }: PayloadOf<typeof CreateWallet>,
    context: RequestContext,
  ): Promise<void> {
    await this.slots.execute(
      walletSlotsId(accountId, chain),
      async (at: string) => {
        const existing = (await this.ofAccount.onChain(accountId, chain)).map(({ id }) => id);
        return { accountId, chain, walletId, existing, at };
      },
      stepContext(context, 'take-wallet-slot', walletId, context.commandId),
    );
  }
}
