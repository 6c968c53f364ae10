import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { AccountRecord, FreezeAccountAutomatically } from '@ponte/contracts';
import type { PersonalData, Sealed } from '@ponte/event-sourcing';
import { logged, SubjectErased } from '@ponte/event-sourcing';
import { LOGGER, PERSONAL_DATA, RequestCommand } from '@ponte/nest';
import type { Logger } from 'pino';
import { Accounts } from '../account/accounts.service';
import { opened } from '../account/account.state';
import { FreezeMetrics } from './freeze.metrics';

export class FreezeAutomaticallyCommand extends RequestCommand<typeof FreezeAccountAutomatically> {}

/**
 * Freezes an account at once and alerts operations. The holder cannot use it until two staff members release it. A
 * closed account stays closed, but its loss is recorded once, and reported to operations at least once. A repeated
 * request is no other freeze or loss.
 */
@CommandHandler(FreezeAutomaticallyCommand)
export class FreezeAutomaticallyHandler implements ICommandHandler<FreezeAutomaticallyCommand> {
  constructor(
    private readonly accounts: Accounts,
    private readonly metrics: FreezeMetrics,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async execute({
    payload: { accountId, reason, evidence, nothingLost },
    context,
  }: FreezeAutomaticallyCommand): Promise<AccountRecord> {
    const {
      terms: { holderId },
    } = opened(await this.accounts.load(accountId));
    const sealed = await this.sealed(holderId, evidence);
    const { events, replayed } = await this.accounts.handle(
      accountId,
      (at) => ({ kind: 'freeze-automatically', reason, evidence: sealed, nothingLost: nothingLost ?? false, at }),
      context,
    );
    const [event] = events;
    if (event?.type === 'AccountFrozen' && !replayed) {
      this.metrics.frozen(reason);
      this.logger.error(
        { ...logged(context), accountId, reason },
        'the system froze an account; two staff members have to review it',
      );
    }
    // Also of a repeated request: the process that recorded the loss may have ended before it reported it.
    if (event?.type === 'ClosedAccountLossRecorded') {
      this.metrics.lostAfterClosing(reason);
      this.logger.error(
        { ...logged(context), accountId, reason },
        'a closed account lost money or tokens; it cannot be frozen',
      );
    }
    return this.accounts.recordOf(accountId);
  }

  /** If the holder was erased, the freeze is recorded without its evidence. */
  private async sealed(holderId: string, evidence: string): Promise<Sealed | null> {
    try {
      return await this.personalData.seal(holderId, evidence);
    } catch (error) {
      if (error instanceof SubjectErased) return null;
      throw error;
    }
  }
}
