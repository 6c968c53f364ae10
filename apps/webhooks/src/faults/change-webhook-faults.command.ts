import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ChangeWebhookFaults, EndpointFaults } from '@ponte/contracts';
import type { PayloadOf, RequestContext } from '@ponte/event-sourcing';
import { Aggregates } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { addSeconds, Unavailable } from '@ponte/kernel';
import type { Runtime } from '@ponte/nest';
import { CLOCK, commandContext, RUNTIME } from '@ponte/nest';
import { endpointsDecider } from '../endpoints/endpoints.decider';

const MINUTE = 60;

/** Sandbox alone. Null when the account has no such endpoint. */
export class ChangeWebhookFaultsCommand extends Command<EndpointFaults | null> {
  constructor(
    readonly payload: PayloadOf<typeof ChangeWebhookFaults>,
    readonly context: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(ChangeWebhookFaultsCommand)
export class ChangeWebhookFaultsHandler implements ICommandHandler<ChangeWebhookFaultsCommand> {
  constructor(
    @Inject(Aggregates) private readonly aggregates: Aggregates,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(RUNTIME) private readonly runtime: Runtime,
  ) {}

  async execute({ payload, context }: ChangeWebhookFaultsCommand): Promise<EndpointFaults | null> {
    if (this.runtime.environment !== 'sandbox') throw new Unavailable('service-unavailable');
    const { accountId, endpointId, faults } = payload;
    const { respond500Minutes, ...others } = faults;
    const change = (now: string) => ({
      kind: 'change-faults' as const,
      endpointId,
      faults: {
        ...others,
        respond500Until: respond500Minutes > 0 ? addSeconds(now, respond500Minutes * MINUTE) : null,
      },
      now,
    });
    const { events } = await this.aggregates.handle(
      endpointsDecider,
      accountId,
      change,
      commandContext(context, this.clock),
    );
    const changed = events[0];
    return changed?.type === 'WebhookFaultsChanged' ? changed.data.faults : null;
  }
}
