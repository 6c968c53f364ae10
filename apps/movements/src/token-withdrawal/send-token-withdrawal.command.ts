import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { Failure, WithdrawalProcessingStarted } from '@ponte/contracts';
import { GetAnyWithdrawal, SettleTokenWithdrawal } from '@ponte/contracts';
import type { MessageBus } from '@ponte/event-sourcing';
import { withCommandId } from '@ponte/event-sourcing';
import { Refusal, Unavailable, derivedId } from '@ponte/kernel';
import { MESSAGE_BUS, PayloadCommand } from '@ponte/nest';
import { RefusedMovements } from '../unsent/refused-movements';
import { chainOfToken } from '../token-movement/chain-values.domain';
import { RequestTokenMovementCommand } from '../token-movement/request-token-movement.command';

export type StartedWithdrawal = Pick<
  WithdrawalProcessingStarted['data'],
  'withdrawalId' | 'accountId' | 'asset' | 'amount'
> & { readonly destination: string };

/**
 * Requests the movement of a token withdrawal, or reports to the ledger that it will never be sent. The ledger learns
 * from the transaction's events how it ended.
 */
export class SendTokenWithdrawalCommand extends PayloadCommand<StartedWithdrawal> {}

/** The account has tokens, so it has a wallet that is not in the list yet. */
const LIST_IS_BEHIND = 'wallet-not-found';

@CommandHandler(SendTokenWithdrawalCommand)
export class SendTokenWithdrawalHandler implements ICommandHandler<SendTokenWithdrawalCommand> {
  constructor(
    private readonly commands: CommandBus,
    private readonly refused: RefusedMovements,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
  ) {}

  async execute({ payload: started, context }: SendTokenWithdrawalCommand): Promise<void> {
    const { withdrawalId, accountId, asset, amount, destination } = started;
    // Its funds were returned to the account, so a second delivery of the event must not send them.
    if ((await this.bus.request(GetAnyWithdrawal, { withdrawalId }, context))?.state === 'rolled-back') return;
    const once = withCommandId(derivedId('token-withdrawal', 'request-movement', withdrawalId), context);
    try {
      await this.commands.execute(
        new RequestTokenMovementCommand(
          {
            movementId: withdrawalId,
            owner: { kind: 'withdrawal', id: withdrawalId },
            accountId,
            asset,
            amount,
            destination,
            sourceWalletId: null,
          },
          once,
        ),
      );
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.code === LIST_IS_BEHIND) throw new Unavailable('service-unavailable');
      // Before the ledger returns the funds. Another process may have got the event too, and may be about to sign.
      if (!(await this.refused.prevent({ kind: 'token-movement', id: withdrawalId }, chainOfToken(asset)))) return;
      const settled = withCommandId(derivedId('token-withdrawal', 'settle', withdrawalId), context);
      await this.bus.request(
        SettleTokenWithdrawal,
        { withdrawalId, outcome: { state: 'failed', failure: failureOf(error) } },
        settled,
      );
    }
  }
}

/** The refusal is permanent: the nonce of the movement is withheld. */
const failureOf = ({ code, message }: Refusal): Failure => ({
  code,
  message: `The tokens cannot be sent: ${message}. Nothing was moved.`,
  retryable: false,
});
