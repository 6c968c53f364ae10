import { Inject, Injectable } from '@nestjs/common';
import type { PixChargeFact } from '@ponte/contracts';
import type { Outcome, RequestContext, Wish } from '@ponte/event-sourcing';
import { Aggregates, logged } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { CLOCK, LOGGER, deciding } from '@ponte/nest';
import type { Logger } from 'pino';
import type { PixCharge, PixChargeCommand } from '../domain/pix-charge/pix-charge';
import { pixCharge } from '../domain/pix-charge/pix-charge';
import { CHARGE_ROWS } from '../ports/charge-rows';
import type { ChargeRows } from '../ports/charge-rows';
import { chargeRow } from '../views/charges';

/** Charges, and their rows by which the overdue ones are found. */
@Injectable()
export class Charges {
  constructor(
    private readonly aggregates: Aggregates,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CHARGE_ROWS) private readonly rows: ChargeRows,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async load(txid: string): Promise<PixCharge> {
    return (await this.aggregates.load(pixCharge, txid)).state;
  }

  /** Carries a command out and keeps its row. A row that fails takes nothing back: the catch-up brings it. */
  async handle(txid: string, wish: Wish<PixChargeCommand>, context: RequestContext): Promise<Outcome<PixCharge, PixChargeFact>> {
    const outcome = await this.aggregates.handle(pixCharge, txid, wish, deciding(context, this.clock));
    if (outcome.events.length > 0) {
      try {
        await this.show(outcome.state, outcome.revision);
      } catch (error) {
        this.logger.error({ ...logged(context), txid, failure: error instanceof Error ? error.name : typeof error }, 'a charge did not reach its view; the catch-up brings it');
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
    if (row) await this.rows.put(row);
  }
}
