import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { SuspenseSendingStarted } from '@ponte/contracts';
import { FailSuspenseSending, HasSuspenseSendingEnded } from '@ponte/contracts';
import type { MessageBus } from '@ponte/event-sourcing';
import { stepContext } from '@ponte/event-sourcing';
import { pick } from '@ponte/kernel';
import { MESSAGE_BUS, PayloadCommand } from '@ponte/nest';
import { RequestOrRefuse } from '../token-movement/request-or-refuse.service';

type Started = Pick<
  SuspenseSendingStarted['data'],
  'depositId' | 'proposal' | 'movementId' | 'accountId' | 'asset' | 'amount' | 'destination'
>;

/**
 * Requests the movement of tokens in suspense, or reports to the ledger that it will never be sent. The ledger learns
 * from the transaction's events how it ended.
 */
export class SendSuspenseCommand extends PayloadCommand<Started> {}

@CommandHandler(SendSuspenseCommand)
export class SendSuspenseHandler implements ICommandHandler<SendSuspenseCommand> {
  constructor(
    private readonly movements: RequestOrRefuse,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
  ) {}

  async execute({ payload: started, context }: SendSuspenseCommand): Promise<void> {
    const { depositId, proposal, movementId } = started;
    // After it has failed, staff may have confirmed another address: a second delivery of the event must send nothing.
    if ((await this.bus.request(HasSuspenseSendingEnded, { depositId, proposal }, context)).ended) return;
    const tokens = pick(started, 'accountId', 'asset', 'amount', 'destination');
    const owner = { kind: 'suspense', id: depositId } as const;
    const failure = await this.movements.request(
      'suspense-sending',
      // From all wallets: an earlier movement of the account may have taken these very tokens, and left others.
      { movementId, owner, ...tokens, sourceWalletId: null },
      context,
    );
    if (failure === null) return;
    const failing = stepContext(context, 'suspense-sending', 'fail', movementId);
    await this.bus.request(FailSuspenseSending, { depositId, movementId, failure }, failing);
  }
}
