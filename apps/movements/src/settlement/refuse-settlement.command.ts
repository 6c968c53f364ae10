import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { RefuseSettlement } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import { RequestCommand } from '@ponte/nest';
import { RefusedMovements } from '../unsent/refused-movements.service';
import { chainOfToken } from '../token-movement/chain-values.domain';
import { purposeKindOf } from './request-settlement.command';

/** Makes sure that a settlement is never sent, so that its order can fail. */
export class RefuseSettlementCommand extends RequestCommand<typeof RefuseSettlement> {}

@CommandHandler(RefuseSettlementCommand)
export class RefuseSettlementHandler implements ICommandHandler<RefuseSettlementCommand> {
  constructor(private readonly refused: RefusedMovements) {}

  async execute({
    payload: { settlementId: id, kind, asset, reason = 'account-not-active' },
    context,
  }: RefuseSettlementCommand): Promise<ReplyOf<typeof RefuseSettlement>> {
    const purpose = { kind: purposeKindOf(kind), id };
    return { refused: await this.refused.prevent(purpose, chainOfToken(asset), reason, context) };
  }
}
