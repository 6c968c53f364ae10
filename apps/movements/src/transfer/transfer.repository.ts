import { Inject, Injectable } from '@nestjs/common';
import type { TransferFact } from '@ponte/contracts';
import type { Outcome, RequestContext, Wish } from '@ponte/event-sourcing';
import { Aggregates, logged } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { CLOCK, LOGGER, deciding } from '@ponte/nest';
import type { Logger } from 'pino';
import type { Transfer, TransferCommand } from './transfer.decider';
import { transfer } from './transfer.decider';
import type { TransfersTable } from './transfers-table.port';
import { TRANSFERS_TABLE } from './transfers-table.port';
import { transferRow } from './transfers.read-model';

/** The streams of transfers; each accepted command is shown in the list before it is answered. */
@Injectable()
export class Transfers {
  constructor(
    private readonly aggregates: Aggregates, @Inject(TRANSFERS_TABLE) private readonly table: TransfersTable,
    @Inject(CLOCK) private readonly clock: Clock, @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async load(transferId: string): Promise<Transfer> {
    return (await this.aggregates.load(transfer, transferId)).state;
  }

  async execute(transferId: string, wish: Wish<TransferCommand>, context: RequestContext): Promise<Transfer> {
    return this.shown(await this.aggregates.handle(transfer, transferId, wish, deciding(context, this.clock)), context);
  }

  /** The same for a command that creates the stream unless that was done before. */
  async createIfAbsent(transferId: string, wish: Wish<TransferCommand>, context: RequestContext): Promise<Transfer> {
    return this.shown(await this.aggregates.beginOnce(transfer, transferId, wish, deciding(context, this.clock)), context);
  }

  /** A list that fails takes nothing back: the projector repairs it. */
  private async shown({ state, revision, events }: Outcome<Transfer, TransferFact>, context: RequestContext): Promise<Transfer> {
    const row = events.length === 0 ? undefined : transferRow(state, revision);
    try {
      if (row) await this.table.put(row);
    } catch (error) {
      this.logger.error({ ...logged(context), err: error, transferId: row?.id }, 'a transfer did not reach its list; the projector will bring it');
    }
    return state;
  }
}
