import { CommandBus } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { WithdrawalProcessingStarted } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { SendTokenWithdrawalCommand } from './send-token-withdrawal.command';

/** Sends withdrawals of tokens, which leave on a chain. */
@Policy(WithdrawalProcessingStarted)
export class WhenWithdrawalStartedSendTokens implements IEventHandler<Recorded<WithdrawalProcessingStarted>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<WithdrawalProcessingStarted>): Promise<void> {
    const { method, withdrawalId, accountId, asset, amount, destinationWalletAddress: destination } = event.data;
    if (method !== 'token' || destination === null) return;
    const started = { withdrawalId, accountId, asset, amount, destination };
    await this.commands.execute(
      new SendTokenWithdrawalCommand(started, causedBy(event, 'send-tokens', 'when-withdrawal-started')),
    );
  }
}
