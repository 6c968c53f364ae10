import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { ReplayWebhookEvents } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { RequestCommand } from '@ponte/nest';
import { AccountEndpoints } from './account-endpoints.service';

/** Records the request; a policy executes the replay. Null when the account has no such endpoint. */
export class ReplayWebhookEventsCommand extends RequestCommand<typeof ReplayWebhookEvents> {}

@CommandHandler(ReplayWebhookEventsCommand)
export class ReplayWebhookEventsHandler implements ICommandHandler<ReplayWebhookEventsCommand> {
  constructor(private readonly endpoints: AccountEndpoints) {}

  async execute({
    payload: { accountId, ...range },
    context,
  }: ReplayWebhookEventsCommand): Promise<ReplyOf<typeof ReplayWebhookEvents>> {
    const replayId = derivedId('webhook-replay', context.commandId);
    const replay = (now: string) => ({ kind: 'replay' as const, replayId, ...range, now });
    const { events } = await this.endpoints.handle(accountId, replay, context);
    const requested = events[0];
    if (requested?.type !== 'WebhookReplayRequested') return null;
    const { from, to, eventTypes, missedOnly, requestedAt } = requested.data;
    return { replayId: requested.data.replayId, from, to, eventTypes, missedOnly, requestedAt };
  }
}
