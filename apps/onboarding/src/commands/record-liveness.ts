import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { RecordLiveness } from '@ponte/contracts';
import { openInTransit } from '@ponte/contracts';
import type { PayloadOf, PersonalData, RequestContext } from '@ponte/event-sourcing';
import { PERSONAL_DATA } from '@ponte/nest';
import type { AccountRequestsTable } from '../ports/account-requests-table';
import { ACCOUNT_REQUESTS_TABLE } from '../ports/account-requests-table';
import { AccountRequests } from './account-requests';
import { livenessFingerprint, livenessWord } from './seal-person';

export class RecordLivenessCommand extends Command<{ known: boolean }> {
  constructor(readonly payload: PayloadOf<typeof RecordLiveness>, readonly context: RequestContext) { super(); }
}

/**
 * A callback is only ever news about a session that a request names. One that comes before its request, or that the view does
 * not know yet, is lost without harm: screening asks the provider itself.
 */
@CommandHandler(RecordLivenessCommand)
export class RecordLivenessHandler implements ICommandHandler<RecordLivenessCommand> {
  constructor(
    private readonly requests: AccountRequests, @Inject(ACCOUNT_REQUESTS_TABLE) private readonly table: AccountRequestsTable,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  async execute({ payload, context }: RecordLivenessCommand): Promise<{ known: boolean }> {
    const { provider, outcome, decidedAt } = payload;
    const { secret: id } = await openInTransit<{ readonly secret: string }>(this.personalData, payload.sessionId);
    const providerEventId = livenessWord(this.personalData, provider, payload.providerEventId);
    const sessionFingerprint = livenessFingerprint(this.personalData, { provider, id });
    const row = await this.table.find({ liveness_fingerprint: sessionFingerprint });
    if (!row) return { known: false };
    await this.requests.handle(row.id, (at) => ({ kind: 'record-liveness', sessionFingerprint, provider, providerEventId, outcome, decidedAt, at }), context);
    return { known: true };
  }
}
