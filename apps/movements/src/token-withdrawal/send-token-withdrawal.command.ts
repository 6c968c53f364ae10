import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { WithdrawalProcessingStarted } from '@ponte/contracts';
import { GetAnyWithdrawal, SettleTokenWithdrawal } from '@ponte/contracts';
import type { MessageBus } from '@ponte/event-sourcing';
import { stepContext } from '@ponte/event-sourcing';
import { pick } from '@ponte/kernel';
import { MESSAGE_BUS, PayloadCommand } from '@ponte/nest';
import { RequestOrRefuse } from '../token-movement/request-or-refuse.service';

type StartedWithdrawal = Pick<
  WithdrawalProcessingStarted['data'],
  'withdrawalId' | 'accountId' | 'asset' | 'amount'
> & { readonly destination: string };

/**
 * Requests the movement of a token withdrawal, or reports to the ledger that it will never be sent. The ledger learns
 * from the transaction's events how it ended.
 */
export class SendTokenWithdrawalCommand extends PayloadCommand<StartedWithdrawal> {}

@CommandHandler(SendTokenWithdrawalCommand)
export class SendTokenWithdrawalHandler implements ICommandHandler<SendTokenWithdrawalCommand> {
  constructor(
    private readonly movements: RequestOrRefuse,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
  ) {}

  async execute({ payload: started, context }: SendTokenWithdrawalCommand): Promise<void> {
    const { withdrawalId } = started;
    // Its funds were returned to the account, so a second delivery of the event must not send them.
    if ((await this.bus.request(GetAnyWithdrawal, { withdrawalId }, context))?.state === 'rolled-back') return;
    const tokens = pick(started, 'accountId', 'asset', 'amount', 'destination');
    const owner = { kind: 'withdrawal', id: withdrawalId } as const;
    const failure = await this.movements.request(
      'token-withdrawal',
      { movementId: withdrawalId, owner, ...tokens, sourceWalletId: null },
      context,
    );
    if (failure === null) return;
    const settled = stepContext(context, 'token-withdrawal', 'settle', withdrawalId);
    await this.bus.request(SettleTokenWithdrawal, { withdrawalId, outcome: { state: 'failed', failure } }, settled);
  }
}
