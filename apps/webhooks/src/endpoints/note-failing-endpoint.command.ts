import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '@ponte/event-sourcing';
import { Aggregates } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { CLOCK, commandContext } from '@ponte/nest';
import type { FailingSummary } from './endpoints.decider';
import { endpointsDecider } from './endpoints.decider';

/** Records the summary of an endpoint that does not respond, once a day. Sent by this service alone. */
export class NoteFailingEndpointCommand extends Command<void> {
  constructor(
    readonly accountId: string,
    readonly endpointId: string,
    readonly summary: FailingSummary,
    readonly context: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(NoteFailingEndpointCommand)
export class NoteFailingEndpointHandler implements ICommandHandler<NoteFailingEndpointCommand> {
  constructor(
    @Inject(Aggregates) private readonly aggregates: Aggregates,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ accountId, endpointId, summary, context }: NoteFailingEndpointCommand): Promise<void> {
    const command = (now: string) => ({ kind: 'note-failing' as const, endpointId, summary, now });
    await this.aggregates.handle(endpointsDecider, accountId, command, commandContext(context, this.clock));
  }
}
