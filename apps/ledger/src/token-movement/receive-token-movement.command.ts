import { CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { MovementReceiver, TokenMovementPurpose, TransactionConfirmed } from '@ponte/contracts';
import { PayloadCommand } from '@ponte/nest';
import { Deposits } from '../deposit/deposits.repository';
import { step } from '../steps';
import { movementDepositIdOf } from '../deposit/deposit.state';

export interface ReceivedMovement {
  readonly purpose: TokenMovementPurpose;
  readonly receiver: MovementReceiver;
  readonly confirmed: Pick<TransactionConfirmed['data'], 'chain' | 'txHash' | 'minedAt'>;
}

/** Tokens of one Ponte account have reached a wallet of another, which gets one deposit per movement. */
export class ReceiveTokenMovementCommand extends PayloadCommand<ReceivedMovement> {}

@CommandHandler(ReceiveTokenMovementCommand)
export class ReceiveTokenMovementHandler implements ICommandHandler<ReceiveTokenMovementCommand> {
  constructor(private readonly deposits: Deposits) {}

  async execute({ payload: { purpose, receiver, confirmed }, context }: ReceiveTokenMovementCommand): Promise<void> {
    const depositId = movementDepositIdOf(purpose.id);
    const { chain: sourceChain, txHash, minedAt: settledAt } = confirmed;
    const { asset, amount, from: sourceAddress, to: targetAddress, id } = purpose;
    // The exchange of an order already posted these tokens as outside our custody, so they are credited from there.
    const movementId = purpose.owner.kind === 'order' ? null : id;
    await this.deposits.execute(
      depositId,
      (now) => ({
        kind: 'create',
        facts: {
          depositId,
          accountId: receiver.accountId,
          parentId: receiver.parentId,
          type: 'token',
          asset,
          amount,
          endToEndId: null,
          orderId: null,
          coordinates: { sourceChain, sourceAddress, targetAddress, txHash, movementId },
          settledAt,
          createdAt: now,
        },
      }),
      step(context, 'receive-movement', id),
    );
  }
}
