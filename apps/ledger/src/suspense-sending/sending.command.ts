import { CommandHandler, QueryHandler } from '@nestjs/cqrs';
import type { ICommandHandler, IQueryHandler } from '@nestjs/cqrs';
import type {
  FailSuspenseSending,
  FailedReturn,
  Failure,
  HasSuspenseSendingEnded,
  ListStartedSuspenseSendings,
  ProposeSuspenseSending,
} from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import { behindEvent } from '@ponte/event-sourcing';
import { PayloadCommand, RequestCommand, RequestQuery } from '@ponte/nest';
import { DepositReadModel } from '../deposit/deposits.read-model';
import { Deposits } from '../deposit/deposits.repository';
import { step } from '../steps';
import { hasEnded, knowsMovement, startedSending } from './sending.domain';
import { SuspenseSendings } from './sendings.service';

/** A staff member says where tokens in suspense go. */
export class ProposeSuspenseSendingCommand extends RequestCommand<typeof ProposeSuspenseSending> {}

@CommandHandler(ProposeSuspenseSendingCommand)
export class ProposeSuspenseSendingHandler implements ICommandHandler<ProposeSuspenseSendingCommand> {
  constructor(private readonly sendings: SuspenseSendings) {}

  execute({ payload, context }: ProposeSuspenseSendingCommand): Promise<FailedReturn> {
    return this.sendings.propose(payload, context);
  }
}

export type SendingOutcome =
  | { readonly state: 'sent'; readonly txHash: string; readonly receiverAccountId: string | null }
  | { readonly state: 'failed'; readonly failure: Failure };

/** Records how the movement of tokens in suspense ended. */
export class SettleSuspenseSendingCommand extends PayloadCommand<{
  readonly depositId: string;
  readonly movementId: string;
  readonly outcome: SendingOutcome;
}> {}

@CommandHandler(SettleSuspenseSendingCommand)
export class SettleSuspenseSendingHandler implements ICommandHandler<SettleSuspenseSendingCommand> {
  constructor(private readonly deposits: Deposits) {}

  async execute({ payload, context }: SettleSuspenseSendingCommand): Promise<void> {
    const { depositId, movementId, outcome } = payload;
    const state = await this.deposits.load(depositId);
    // The movement was requested because its proposal was confirmed.
    if (!knowsMovement(state, movementId)) return behindEvent(`deposit ${depositId}`, state.status);
    const command = (now: string) => {
      if (outcome.state === 'failed')
        return { kind: 'note-sending-failed', movementId, failure: outcome.failure, now } as const;
      const { txHash, receiverAccountId } = outcome;
      return { kind: 'note-sent', movementId, txHash, receiverAccountId, now } as const;
    };
    await this.deposits.execute(depositId, command, step(context, 'settle-sending', movementId, outcome.state));
  }
}

/** The movements service refuses the movement, and will never send it. */
export class FailSuspenseSendingCommand extends RequestCommand<typeof FailSuspenseSending> {}

@CommandHandler(FailSuspenseSendingCommand)
export class FailSuspenseSendingHandler implements ICommandHandler<FailSuspenseSendingCommand> {
  constructor(private readonly settle: SettleSuspenseSendingHandler) {}

  async execute({ payload, context }: FailSuspenseSendingCommand): Promise<Record<string, never>> {
    const { depositId, movementId, failure } = payload;
    const settled = { depositId, movementId, outcome: { state: 'failed', failure } } as const;
    await this.settle.execute(new SettleSuspenseSendingCommand(settled, context));
    return {};
  }
}

/** Whether a started proposal can move nothing more. */
export class HasSuspenseSendingEndedQuery extends RequestQuery<typeof HasSuspenseSendingEnded> {}

@QueryHandler(HasSuspenseSendingEndedQuery)
export class HasSuspenseSendingEndedHandler implements IQueryHandler<HasSuspenseSendingEndedQuery> {
  constructor(private readonly deposits: Deposits) {}

  async execute({ payload: { depositId, proposal } }: HasSuspenseSendingEndedQuery): Promise<{ ended: boolean }> {
    return { ended: hasEnded(await this.deposits.load(depositId), proposal) };
  }
}

/** Proposals that were started by a time and are not known to have ended. */
export class ListStartedSuspenseSendingsQuery extends RequestQuery<typeof ListStartedSuspenseSendings> {}

@QueryHandler(ListStartedSuspenseSendingsQuery)
export class ListStartedSuspenseSendingsHandler implements IQueryHandler<ListStartedSuspenseSendingsQuery> {
  constructor(
    private readonly readModel: DepositReadModel,
    private readonly deposits: Deposits,
  ) {}

  /** Two staff members decide about each, so they are few. */
  async execute({
    payload: { startedBefore, page },
  }: ListStartedSuspenseSendingsQuery): Promise<ReplyOf<typeof ListStartedSuspenseSendings>> {
    const { items, next } = await this.readModel.beingSent(page);
    const states = await Promise.all(items.map((depositId) => this.deposits.load(depositId)));
    return { items: states.flatMap((state) => startedSending(state, startedBefore) ?? []), next };
  }
}
