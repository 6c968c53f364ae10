import { Inject, Injectable } from '@nestjs/common';
import type { DepositFact } from '@ponte/contracts';
import type { Outcome, RequestContext, Wish } from '@ponte/event-sourcing';
import { Aggregates, logged } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { CLOCK, LOGGER, deciding } from '@ponte/nest';
import type { Logger } from 'pino';
import type { Deposit, DepositCommand } from '../domain/deposit/deposit';
import { deposit } from '../domain/deposit/deposit';
import { DEPOSIT_ROWS } from '../ports/deposit-rows';
import type { DepositRows } from '../ports/deposit-rows';
import { depositRow } from '../views/deposits';

/** Deposits, and their rows in the lists. */
@Injectable()
export class Deposits {
  constructor(
    private readonly aggregates: Aggregates,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(DEPOSIT_ROWS) private readonly rows: DepositRows,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async load(depositId: string): Promise<Deposit> {
    return (await this.aggregates.load(deposit, depositId)).state;
  }

  /** Carries a command out and shows it in the lists. A list that fails takes nothing back: the catch-up brings it. */
  async handle(depositId: string, wish: Wish<DepositCommand>, context: RequestContext): Promise<Outcome<Deposit, DepositFact>> {
    const outcome = await this.aggregates.handle(deposit, depositId, wish, deciding(context, this.clock));
    if (outcome.events.length > 0) {
      try {
        await this.show(depositId, outcome.state, outcome.revision);
      } catch (error) {
        this.logger.error({ ...logged(context), depositId, failure: error instanceof Error ? error.name : typeof error }, 'a deposit did not reach its list; the catch-up brings it');
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
    if (row) await this.rows.put(row);
  }
}
