import { Inject, Injectable } from '@nestjs/common';
import type { DepositEvent } from '@ponte/contracts';
import type { Outcome, RequestContext, CommandSource } from '@ponte/event-sourcing';
import { Aggregates, logged } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { CLOCK, LOGGER, commandContext } from '@ponte/nest';
import type { Logger } from 'pino';
import type { Deposit, DepositCommand } from '../domain/deposit/deposit';
import { deposit } from '../domain/deposit/deposit';
import { DEPOSIT_READ_MODEL } from '../ports/deposit-read-model';
import type { DepositReadModel } from '../ports/deposit-read-model';
import { depositRow } from '../views/deposits';

/** Deposits, and their rows in the lists. */
@Injectable()
export class Deposits {
  constructor(
    private readonly aggregates: Aggregates,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(DEPOSIT_READ_MODEL) private readonly readModel: DepositReadModel,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async load(depositId: string): Promise<Deposit> {
    return (await this.aggregates.load(deposit, depositId)).state;
  }

  /** Carries a command out and shows it in the lists. A list that fails takes nothing back: the catch-up brings it. */
  async handle(
    depositId: string,
    command: CommandSource<DepositCommand>,
    context: RequestContext,
  ): Promise<Outcome<Deposit, DepositEvent>> {
    const outcome = await this.aggregates.handle(deposit, depositId, command, commandContext(context, this.clock));
    if (outcome.events.length > 0) {
      try {
        await this.show(depositId, outcome.state, outcome.revision);
      } catch (error) {
        this.logger.error(
          { ...logged(context), depositId, failure: error instanceof Error ? error.name : typeof error },
          'a deposit did not reach its list; the catch-up brings it',
        );
      }
    }
    return outcome;
  }

  async catchUp(depositId: string): Promise<void> {
    const { state, revision } = await this.aggregates.load(deposit, depositId);
    await this.show(depositId, state, revision);
  }

  private async show(depositId: string, state: Deposit, revision: number): Promise<void> {
    const row = depositRow(depositId, state, revision);
    if (row) await this.readModel.put(row);
  }
}
