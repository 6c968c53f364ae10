import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ReplayWebhookEvents, WebhookReplayRecord } from '@ponte/contracts';
import type { PayloadOf, RequestContext } from '@ponte/event-sourcing';
import { Aggregates } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { derivedId } from '@ponte/kernel';
import { CLOCK, commandContext } from '@ponte/nest';
import { endpointsDecider } from './endpoints.decider';

/** Null when the account has no such endpoint. A policy carries the replay out. */
export class ReplayWebhookEventsCommand extends Command<WebhookReplayRecord | null> {
  constructor(
    readonly payload: PayloadOf<typeof ReplayWebhookEvents>,
    readonly context: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(ReplayWebhookEventsCommand)
export class ReplayWebhookEventsHandler implements ICommandHandler<ReplayWebhookEventsCommand> {
  constructor(
    @Inject(Aggregates) private readonly aggregates: Aggregates,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({
    payload: { accountId, ...range },
    context,
  }: ReplayWebhookEventsCommand): Promise<WebhookReplayRecord | null> {
    const replayId = derivedId('webhook-replay', context.commandId);
    const replay = (now: string) => ({ kind: 'replay' as const, replayId, ...range, now });
    const { events } = await this.aggregates.handle(
      endpointsDecider,
      accountId,
      replay,
      commandContext(context, this.clock),
    );
    const requested = events[0];
    if (requested?.type !== 'WebhookReplayRequested') return null;
    const { from, to, eventTypes, missedOnly, requestedAt } = requested.data;
    return { replayId: requested.data.replayId, from, to, eventTypes, missedOnly, requestedAt };
  }
}
