import { CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { ConfirmedMovement } from '@ponte/contracts';
import { PayloadCommand } from '@ponte/nest';
import { Deposits } from '../deposit/deposits.repository';
import { step } from '../steps';
import { movementDepositIdOf } from '../deposit/deposit.state';

/**
 * Tokens of a Ponte account have moved. If they have reached a wallet of another account, it gets one deposit per
 * movement.
 */
export class ReceiveTokenMovementCommand extends PayloadCommand<ConfirmedMovement> {}

@CommandHandler(ReceiveTokenMovementCommand)
export class ReceiveTokenMovementHandler implements ICommandHandler<ReceiveTokenMovementCommand> {
  constructor(private readonly deposits: Deposits) {}

  async execute({ payload: { purpose, ...confirmed }, context }: ReceiveTokenMovementCommand): Promise<void> {
    const { asset, amount, from: sourceAddress, to: targetAddress, id, receiver } = purpose;
    if (receiver === null || receiver.accountId === purpose.accountId) return;
    const depositId = movementDepositIdOf(id);
    const { chain: sourceChain, txHash, minedAt: settledAt } = confirmed;
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
