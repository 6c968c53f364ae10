import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { WalletRecord } from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import type { Chain } from '@ponte/kernel';
import { CHAINS, derivedId } from '@ponte/kernel';
import { PayloadCommand } from '@ponte/nest';
import type { CreateWallet } from './wallet.decider';
import { mainWalletName, saltOf, walletIdOf, walletRecord } from './wallet.decider';
import type { ServedChains } from '../chain/served-chains.port';
import { SERVED_CHAINS } from '../chain/served-chains.port';
import { AccountWallets } from './account-wallets.service';
import { Wallets } from './wallets.repository';

interface WalletOwner {
  readonly accountId: string;
  readonly parentId: string | null;
}

export class ProvisionWalletsCommand extends PayloadCommand<WalletOwner, { wallets: readonly WalletRecord[] }> {}

/**
 * Creates one wallet on every chain. The address of a wallet follows from its id, so a crash leaves nothing to clean
 * up.
 */
@CommandHandler(ProvisionWalletsCommand)
export class ProvisionWalletsHandler implements ICommandHandler<ProvisionWalletsCommand> {
  constructor(
    private readonly wallets: Wallets,
    private readonly ofAccount: AccountWallets,
    @Inject(SERVED_CHAINS) private readonly chains: ServedChains,
  ) {}

  async execute({ payload: owner, context }: ProvisionWalletsCommand): Promise<{ wallets: readonly WalletRecord[] }> {
    return { wallets: await Promise.all(CHAINS.map((chain) => this.provision(owner, chain, context))) };
  }

  private async provision(
    { accountId, parentId }: WalletOwner,
    chain: Chain,
    context: RequestContext,
  ): Promise<WalletRecord> {
    const walletId = walletIdOf(accountId, chain);
    const address = this.chains.of(chain).evm.walletAddress(saltOf(walletId));
    const state = await this.wallets.execute(
      walletId,
      async (at): Promise<CreateWallet> => {
        await this.ofAccount.claimAddress({ accountId, walletId, chain, address, at }, context);
        const terms = { walletId, accountId, parentId, name: mainWalletName(chain), chain, address };
        return { kind: 'create', ...terms, uiEnabled: true, metadata: {}, at };
      },
      { ...context, commandId: derivedId('provision-wallet', walletId) },
    );
    const record = walletRecord(state);
    if (!record) throw new Error(`wallet ${walletId} was not created`);
    return record;
  }
}
