import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { each, ReportLimit } from '@ponte/concurrency';
import { failureText, logged, safeError } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import { CLOCK, ContextCommand, LOGGER } from '@ponte/nest';
import type { Logger } from 'pino';
import { CheckRefusedPayoutCommand } from './check-refused-payout.command';
import { RefusedPayouts } from './refused-payouts.read-model';

/** Checks the refused payouts that are due. One that fails stays due, and does not stop the others. */
export class CheckRefusedPayoutsCommand extends ContextCommand {}

@CommandHandler(CheckRefusedPayoutsCommand)
export class CheckRefusedPayoutsHandler implements ICommandHandler<CheckRefusedPayoutsCommand> {
  private readonly reports = new ReportLimit();

  constructor(
    private readonly commands: CommandBus,
    private readonly payouts: RefusedPayouts,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async execute({ context }: CheckRefusedPayoutsCommand): Promise<void> {
    for await (const ids of this.payouts.due(isoTime(this.clock.now())))
      await each(
        ids,
        (withdrawalId) => this.commands.execute(new CheckRefusedPayoutCommand({ withdrawalId }, context)),
        (error, withdrawalId) =>
          this.reports.note(failureText(error), (repeats) =>
            this.logger.error(
              { ...logged(context), withdrawalId, error: safeError(error), ...repeats },
              'a refused payout could not be checked; the next run will check it',
            ),
          ),
      );
  }
}
