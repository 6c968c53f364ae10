import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { each } from '@ponte/concurrency';
import type { IncomingTransfer, IncomingTransfersSeen } from '@ponte/contracts';
import { isTokenCoordinates } from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import { behindEvent } from '@ponte/event-sourcing';
import { PayloadCommand } from '@ponte/nest';
import type { AddressScreening } from '../address-screening/address-screening.port';
import { ADDRESS_SCREENING } from '../address-screening/address-screening.port';
import { AdvanceDepositCommand } from '../deposit/advance-deposit.command';
import { Deposits } from '../deposit/deposits.repository';
import { step } from '../steps';

/** Tokens from outside were seen in a block. Creates one deposit per transfer; it waits until the block is final. */
export class ReceiveArrivalsCommand extends PayloadCommand<IncomingTransfersSeen['data']> {}

@CommandHandler(ReceiveArrivalsCommand)
export class ReceiveArrivalsHandler implements ICommandHandler<ReceiveArrivalsCommand> {
  constructor(private readonly deposits: Deposits) {}

  async execute({ payload: { transfers, ...block }, context }: ReceiveArrivalsCommand): Promise<void> {
    await each(transfers, (one) => this.receive(one, block, context));
  }

  private async receive(
    transfer: IncomingTransfer,
    { chain, blockNumber, blockHash, minedAt }: Omit<IncomingTransfersSeen['data'], 'transfers'>,
    context: RequestContext,
  ): Promise<void> {
    const { depositId, accountId, parentId, asset, amount, from, to, txHash, logIndex } = transfer;
    await this.deposits.execute(
      depositId,
      (now) => ({
        kind: 'create',
        facts: {
          depositId,
          accountId,
          parentId,
          type: 'token',
          asset,
          amount,
          endToEndId: null,
          orderId: null,
          coordinates: { sourceChain: chain, sourceAddress: from, targetAddress: to, txHash, movementId: null },
          arrival: { blockNumber, blockHash, logIndex },
          settledAt: minedAt,
          createdAt: now,
        },
      }),
      step(context, 'receive-arrival', depositId),
    );
  }
}

/**
 * The status of the block changed: its deposits are confirmed, final (and then credited), or voided because the block
 * was replaced.
 */
export class SettleArrivalsCommand extends PayloadCommand<{
  readonly kind: 'confirm-arrival' | 'finalize-arrival' | 'void-reorged';
  readonly depositIds: readonly string[];
}> {}

@CommandHandler(SettleArrivalsCommand)
export class SettleArrivalsHandler implements ICommandHandler<SettleArrivalsCommand> {
  constructor(
    private readonly deposits: Deposits,
    private readonly commands: CommandBus,
    @Inject(ADDRESS_SCREENING) private readonly screening: AddressScreening,
  ) {}

  async execute({ payload: { kind, depositIds }, context }: SettleArrivalsCommand): Promise<void> {
    await each(depositIds, async (depositId) => {
      const state = await this.deposits.execute(
        depositId,
        await this.commandOf(kind, depositId),
        step(context, kind, depositId),
      );
      // The preceding event of the block's stream created the deposit.
      if (state.status === 'none') behindEvent(`deposit ${depositId}`, state.status);
      if (kind === 'finalize-arrival') await this.commands.execute(new AdvanceDepositCommand({ depositId }, context));
    });
  }

  /** Builds the command. Screens the sender as late as possible, just before the tokens could be credited. */
  private async commandOf(kind: SettleArrivalsCommand['payload']['kind'], depositId: string) {
    if (kind !== 'finalize-arrival') return (now: string) => ({ kind, now });
    const state = await this.deposits.load(depositId);
    // A deposit must never become final without being screened.
    if (state.status === 'none') return behindEvent(`deposit ${depositId}`, state.status);
    const { coordinates } = state.facts;
    const hits = isTokenCoordinates(coordinates) ? this.screening.screen(coordinates.sourceAddress) : [];
    return (now: string) => ({ kind, hits, now });
  }
}
