import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { AccountRequestRecord, DecideInSandbox } from '@ponte/contracts';
import { refuse } from '@ponte/kernel';
import { RequestCommand } from '@ponte/nest';
import type { OnboardingSettings } from '../onboarding-settings.port';
import { ONBOARDING_SETTINGS_OF } from '../onboarding-settings.port';
import { AccountRequests } from '../account-request/account-requests.service';

export class DecideInSandboxCommand extends RequestCommand<typeof DecideInSandbox> {}

/** The gateway has no route to this command in production. The check here is a second safeguard. */
@CommandHandler(DecideInSandboxCommand)
export class DecideInSandboxHandler implements ICommandHandler<DecideInSandboxCommand> {
  constructor(
    private readonly requests: AccountRequests,
    @Inject(ONBOARDING_SETTINGS_OF) private readonly settings: OnboardingSettings,
  ) {}

  async execute({
    payload: { parentId, requestId, ...command },
    context,
  }: DecideInSandboxCommand): Promise<AccountRequestRecord> {
    if (this.settings.environment !== 'sandbox')
      refuse('role-not-allowed', 'this decision is available only in the sandbox');
    await this.requests.ofParent(parentId, requestId);
    return this.requests.record(requestId, (at) => ({ kind: 'decide-in-sandbox', command, at }), context);
  }
}
