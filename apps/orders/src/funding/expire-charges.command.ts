import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { each, ReportLimit } from '@ponte/concurrency';
import { failureText, logged } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import { CLOCK, ContextCommand, LOGGER } from '@ponte/nest';
import type { Logger } from 'pino';
import { OrderReadModel } from '../order/orders.read-model';
import { CloseChargeCommand } from './close-charge.command';

/** Closes the charges of brcode orders that are past their expiration. */
export class ExpireChargesCommand extends ContextCommand {}

/** The largest number of charges per run, the longest expired first. The next run follows within seconds. */
const AT_ONCE = 200;

@CommandHandler(ExpireChargesCommand)
export class ExpireChargesHandler implements ICommandHandler<ExpireChargesCommand> {
  private readonly reports = new ReportLimit();

  constructor(
    private readonly readModel: OrderReadModel,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly commands: CommandBus,
  ) {}

  async execute({ context }: ExpireChargesCommand): Promise<void> {
    const expired = await this.readModel.expired(isoTime(this.clock.now()), AT_ONCE);
    await each(
      expired,
      (charge) => this.commands.execute(new CloseChargeCommand(charge, context)),
      (error, { orderId }) => {
        this.reports.note(failureText(error), (repeats) =>
          this.logger.warn(
            { ...logged(context), err: error, orderId, ...repeats },
            'an expired charge could not be closed; the next run retries',
          ),
        );
      },
    );
  }
}
