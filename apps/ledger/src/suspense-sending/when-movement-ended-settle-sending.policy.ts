import { CommandBus } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import type { Failure, GiveUpReason } from '@ponte/contracts';
import { TransactionConfirmed, TransactionGivenUp, TransactionReverted, TransactionSuperseded } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import type { SendingOutcome } from './sending.command';
import { SettleSuspenseSendingCommand } from './sending.command';

type Ended = Recorded<TransactionConfirmed | TransactionReverted | TransactionSuperseded | TransactionGivenUp>;

/** Records that tokens in suspense were sent, or that it is final that nothing moved. */
@Policy(TransactionConfirmed, TransactionReverted, TransactionSuperseded, TransactionGivenUp)
export class WhenMovementEndedSettleSending implements IEventHandler<Ended> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Ended): Promise<void> {
    const { purpose } = event.data;
    if (purpose?.kind !== 'token-movement' || purpose.owner.kind !== 'suspense') return;
    const { id: movementId, owner, receiver } = purpose;
    const outcome = outcomeOf(event, receiver?.accountId ?? null);
    await this.commands.execute(
      new SettleSuspenseSendingCommand(
        { depositId: owner.id, movementId, outcome },
        causedBy(event, 'settle-sending', 'when-movement-ended'),
      ),
    );
  }
}

function outcomeOf(event: Ended, receiverAccountId: string | null): SendingOutcome {
  switch (event.type) {
    case 'TransactionConfirmed':
      return { state: 'sent', txHash: event.data.txHash, receiverAccountId };
    case 'TransactionReverted':
      return failed('reverted', `The transaction was reverted on the chain (${event.data.reason}). Nothing was moved.`);
    case 'TransactionSuperseded':
      return failed('superseded', 'The movement can no longer be executed. Nothing was moved.');
    case 'TransactionGivenUp':
      return failed(codeOf(event.data.reason), 'The movement was given up. Nothing was moved.');
  }
}

/** Staff see what they can act on. */
const codeOf = (reason: GiveUpReason): Failure['code'] =>
  reason === 'key-unavailable' || reason === 'refused' ? 'superseded' : reason;

const failed = (code: Failure['code'], message: string): SendingOutcome => ({
  state: 'failed',
  failure: { code, message, retryable: true },
});
