import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { AccountRecord, WhitelistWallet } from '@ponte/contracts';
import { ScreenAddress, screenedWalletId } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import { stepContext } from '@ponte/event-sourcing';
import { parseEvmAddress, refuse } from '@ponte/kernel';
import { MESSAGE_BUS, RequestCommand } from '@ponte/nest';
import { Accounts } from '../account/accounts.service';
import { notClosed } from '../account/account.state';
import { findHouseWallets } from './house-wallets';
import { WalletReservations } from './wallet-reservations.service';

export class WhitelistWalletCommand extends RequestCommand<typeof WhitelistWallet> {}

/**
 * Adds an external wallet to the whitelist of an account. An address on a sanctions list is refused until staff have
 * decided about it, after which the caller retries. An address of the service is refused, because nothing would be
 * credited there; so is a wallet of another account (rule 12). The wallets of an account request are checked before:
 * all three with the request, and the addresses of the service again when the account is provisioned.
 */
@CommandHandler(WhitelistWalletCommand)
export class WhitelistWalletHandler implements ICommandHandler<WhitelistWalletCommand> {
  constructor(
    private readonly accounts: Accounts,
    private readonly wallets: WalletReservations,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
  ) {}

  async execute({ payload, context }: WhitelistWalletCommand): Promise<AccountRecord> {
    const { accountId, address, fx, source } = payload;
    if (source !== 'onboarding') {
      await this.screen(accountId, address, context);
      await this.reserve(accountId, address, context);
    }
    return this.accounts.record(accountId, { kind: 'whitelist', address, fx, source }, context);
  }

  private async screen(accountId: string, address: string, context: RequestContext): Promise<void> {
    // An account that does not exist or is closed is refused first, so that no review is opened for it.
    notClosed(await this.accounts.load(accountId));
    const lowerCase = address.toLowerCase();
    const loss = (await findHouseWallets([lowerCase], this.bus, context)).get(lowerCase);
    if (loss !== undefined) refuse('invalid-address', loss, 'address');
    const subject = { kind: 'wallet', id: screenedWalletId(accountId, address) } as const;
    const screeningContext = stepContext(context, 'screen-wallet', context.commandId);
    const { outcome } = await this.bus.request(
      ScreenAddress,
      { subject, accountId, address, chain: null, asset: null, amount: null },
      screeningContext,
    );
    if (outcome === 'waits')
      refuse(
        'address-under-review',
        'two approvers have to decide about the address first; retry after that',
        'address',
      );
    if (outcome === 'refused')
      refuse('address-refused', 'the review of this address ended with a true match', 'address');
  }

  /**
   * Before the append, so that a request cannot name the wallet in between. After a crash, the account keeps it. A
   * wallet that the account has already stays its own: earlier releases whitelisted some for two accounts, and the
   * reservation belongs to one of them.
   */
  private async reserve(accountId: string, address: string, context: RequestContext): Promise<void> {
    const parsed = parseEvmAddress(address);
    // An invalid address is refused with the command.
    if (!parsed.ok) return;
    const { whitelist } = notClosed(await this.accounts.load(accountId));
    if (whitelist.some((entry) => entry.address === parsed.address)) return;
    if (await this.wallets.reserve(parsed.address.toLowerCase(), accountId, context)) return;
    refuse('external-wallet-already-registered', 'the address is registered to another account', 'address');
  }
}
