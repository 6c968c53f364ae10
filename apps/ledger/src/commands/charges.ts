import { Inject, Injectable } from '@nestjs/common';
import type { PixChargeEvent } from '@ponte/contracts';
import type { Outcome, RequestContext, CommandSource } from '@ponte/event-sourcing';
import { Aggregates, logged } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { CLOCK, LOGGER, commandContext } from '@ponte/nest';
import type { Logger } from 'pino';
import type { PixCharge, PixChargeCommand } from '../domain/pix-charge/pix-charge';
import { pixCharge } from '../domain/pix-charge/pix-charge';
import { CHARGE_READ_MODEL } from '../ports/charge-read-model';
import type { ChargeReadModel } from '../ports/charge-read-model';
import { chargeRow } from '../views/charges';

/** Charges, and their rows by which the overdue ones are found. */
@Injectable()
export class Charges {
  constructor(
    private readonly aggregates: Aggregates,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CHARGE_READ_MODEL) private readonly readModel: ChargeReadModel,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async load(txid: string): Promise<PixCharge> {
    return (await this.aggregates.load(pixCharge, txid)).state;
  }

  /** Carries a command out and keeps its row. A row that fails takes nothing back: the catch-up brings it. */
  async handle(
    txid: string,
    command: CommandSource<PixChargeCommand>,
    context: RequestContext,
  ): Promise<Outcome<PixCharge, PixChargeEvent>> {
    const outcome = await this.aggregates.handle(pixCharge, txid, command, commandContext(context, this.clock));
    if (outcome.events.length > 0) {
      try {
        await this.show(outcome.state, outcome.revision);
      } catch (error) {
        this.logger.error(
          { ...logged(context), txid, failure: error instanceof Error ? error.name : typeof error },
          'a charge did not reach its view; the catch-up brings it',
        );
      }
    }
    return outcome;
  }

  async catchUp(txid: string): Promise<void> {
    const { state, revision } = await this.aggregates.load(pixCharge, txid);
    await this.show(state, revision);
  }

  private async show(state: PixCharge, revision: number): Promise<void> {
    const row = chargeRow(state, revision);
    if (row) await this.readModel.put(row);
  }
}
