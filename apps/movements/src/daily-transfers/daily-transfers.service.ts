import { Inject, Injectable } from '@nestjs/common';
import type { Timestamp } from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import { stepContext } from '@ponte/event-sourcing';
import type { Clock, Violation } from '@ponte/kernel';
import { fromIso, saoPauloDate } from '@ponte/kernel';
import { CLOCK, defineRepository } from '@ponte/nest';
import type { MovementsSettings } from '../movements-settings.port';
import { SETTINGS } from '../movements-settings.port';
import { countViolations, dailyTransfers, dailyTransfersId } from './daily-transfers.decider';

/** The streams that count the transfers of an account on a day. */
@Injectable()
export class DailyTransferStreams extends defineRepository(dailyTransfers) {}

interface CountedTransfer {
  readonly accountId: string;
  readonly transferId: string;
}

/** How many transfers of tokens and certificates, which cost gas that Ponte pays, an account makes per day. */
@Injectable()
export class DailyTransfers {
  constructor(
    private readonly streams: DailyTransferStreams,
    @Inject(SETTINGS) private readonly settings: MovementsSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** What {@link count} would refuse now. Writes nothing. */
  async violations({ accountId, transferId }: CountedTransfer, at: Timestamp): Promise<readonly Violation[]> {
    const state = await this.streams.load(dailyTransfersId(accountId, dateOf(at)));
    return countViolations(state, transferId, this.settings.transfersPerDay);
  }

  /**
   * Refuses `limit-exceeded`. Counting a transfer again on the same day changes nothing. `attemptId` is another one for
   * each attempt to create the transfer.
   */
  async count(
    { accountId, transferId }: CountedTransfer,
    { attemptId, at }: { readonly attemptId: string; readonly at: Timestamp },
    context: RequestContext,
  ): Promise<void> {
    const date = dateOf(at);
    await this.streams.execute(
      dailyTransfersId(accountId, date),
      { kind: 'count', accountId, date, transferId, attemptId, limit: this.settings.transfersPerDay, at },
      stepContext(context, 'count-transfer', attemptId, date),
    );
  }

  /**
   * For an attempt that was refused, if there is no transfer. Does nothing if the attempt did not count it. If midnight
   * has passed, nothing has to be given back.
   */
  async uncount({ accountId, transferId }: CountedTransfer, attemptId: string, context: RequestContext): Promise<void> {
    const date = saoPauloDate(this.clock.now());
    await this.streams.execute(
      dailyTransfersId(accountId, date),
      { kind: 'uncount', accountId, date, transferId, attemptId },
      { ...stepContext(context, 'uncount-transfer', attemptId, date), deadline: undefined },
    );
  }
}

const dateOf = (at: Timestamp): string => saoPauloDate(fromIso(at));
