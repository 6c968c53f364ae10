import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { RequestContext } from '@ponte/event-sourcing';
import { logged, safeError } from '@ponte/event-sourcing';
import { LOGGER } from '@ponte/nest';
import type { Logger } from 'pino';
import { AdvanceDepositCommand } from '../deposit/advance-deposit.command';

/** Advances an unfinished deposit for a timer. A failure is logged, and the next run of the timer tries again. */
@Injectable()
export class ResumeDeposit {
  constructor(
    private readonly commands: CommandBus,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async resume(depositId: string, context: RequestContext): Promise<void> {
    try {
      await this.commands.execute(new AdvanceDepositCommand({ depositId }, context));
    } catch (error) {
      this.logger.error(
        { ...logged(context), depositId, error: safeError(error) },
        'a deposit could not be advanced; it will be retried',
      );
    }
  }
}
