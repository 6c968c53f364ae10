import { Inject, Injectable } from '@nestjs/common';
import type { WithdrawalEvent } from '@ponte/contracts';
import type { Outcome, RequestContext, CommandSource } from '@ponte/event-sourcing';
import { Aggregates, logged } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { CLOCK, LOGGER, commandContext } from '@ponte/nest';
import type { Logger } from 'pino';
import type { Withdrawal, WithdrawalCommand } from './withdrawal.decider';
import { withdrawal } from './withdrawal.decider';
import { WITHDRAWAL_READ_MODEL } from './withdrawals.read-model';
import type { WithdrawalReadModel } from './withdrawals.read-model';

/** The streams of withdrawals; the list is updated before a command is answered. */
@Injectable()
export class Withdrawals {
  constructor(
    private readonly aggregates: Aggregates,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(WITHDRAWAL_READ_MODEL) private readonly readModel: WithdrawalReadModel,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async load(withdrawalId: string): Promise<Withdrawal> {
    return (await this.aggregates.load(withdrawal, withdrawalId)).state;
  }

  async handle(
    withdrawalId: string,
    command: CommandSource<WithdrawalCommand>,
    context: RequestContext,
  ): Promise<Withdrawal> {
    return this.shown(
      withdrawalId,
      await this.aggregates.handle(withdrawal, withdrawalId, command, commandContext(context, this.clock)),
      context,
    );
  }

  async catchUp(withdrawalId: string): Promise<void> {
    const { state, revision } = await this.aggregates.load(withdrawal, withdrawalId);
    await this.readModel.put(state, revision);
  }

  /** A list that fails takes nothing back: the projector brings it up to date. */
  private async shown(
    withdrawalId: string,
    { state, revision, events }: Outcome<Withdrawal, WithdrawalEvent>,
    context: RequestContext,
  ): Promise<Withdrawal> {
    if (events.length === 0) return state;
    try {
      await this.readModel.put(state, revision);
    } catch (error) {
      this.logger.error(
        { ...logged(context), withdrawalId, failure: error instanceof Error ? error.name : typeof error },
        'a withdrawal did not reach its list; the projector brings it up to date',
      );
    }
    return state;
  }
}
