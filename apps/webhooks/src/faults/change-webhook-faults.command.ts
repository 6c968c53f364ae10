import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { ChangeWebhookFaults } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import { Unavailable, addSeconds } from '@ponte/kernel';
import type { Runtime } from '@ponte/nest';
import { RUNTIME, RequestCommand } from '@ponte/nest';
import { AccountEndpoints } from '../endpoints/account-endpoints.service';

const MINUTE = 60;

/** Sandbox only. Null when the account has no such endpoint. */
export class ChangeWebhookFaultsCommand extends RequestCommand<typeof ChangeWebhookFaults> {}

@CommandHandler(ChangeWebhookFaultsCommand)
export class ChangeWebhookFaultsHandler implements ICommandHandler<ChangeWebhookFaultsCommand> {
  constructor(
    private readonly endpoints: AccountEndpoints,
    @Inject(RUNTIME) private readonly runtime: Runtime,
  ) {}

  async execute({ payload, context }: ChangeWebhookFaultsCommand): Promise<ReplyOf<typeof ChangeWebhookFaults>> {
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
    const { events } = await this.endpoints.handle(accountId, change, context);
    const changed = events[0];
    return changed?.type === 'WebhookFaultsChanged' ? changed.data.faults : null;
  }
}
