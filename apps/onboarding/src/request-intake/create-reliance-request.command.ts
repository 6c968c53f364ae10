import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { ClearRelianceRequest, CreateRelianceRequest, Identity, RequestedAccount } from '@ponte/contracts';
import { openInTransit, relianceFormViolations } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { PERSONAL_DATA, RequestCommand } from '@ponte/nest';
import { relianceRequiresFourEyes, sandboxOutcome } from '../account-request/four-eyes.domain';
import type { OnboardingSettings } from '../onboarding-settings.port';
import { ONBOARDING_SETTINGS_OF } from '../onboarding-settings.port';
import type { RequestedTerms } from './placement.service';
import type { Mode } from './request-intake.service';
import { RequestIntake } from './request-intake.service';
import { sealIdentity, sealWallets } from '../person/seal-person';
import { relianceViolations } from '../request-rules/request-rules.domain';

export class CreateRelianceRequestCommand extends RequestCommand<typeof CreateRelianceRequest> {}

/** Like `CreateAccountRequest`, for parents that check their people themselves: fewer facts, the same state machine. */
@CommandHandler(CreateRelianceRequestCommand)
export class CreateRelianceRequestHandler implements ICommandHandler<CreateRelianceRequestCommand> {
  private readonly reliance: Mode<ClearRelianceRequest> = {
    mode: 'reliance',
    formViolations: relianceFormViolations,
    violations: relianceViolations,
    files: () => [],
    seal: (clear, identity) => this.seal(clear, identity),
  };

  constructor(
    private readonly intake: RequestIntake,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    @Inject(ONBOARDING_SETTINGS_OF) private readonly settings: OnboardingSettings,
  ) {}

  async execute({ payload: { parentId, body }, context }: CreateRelianceRequestCommand): Promise<RequestedAccount> {
    return this.intake.take(
      parentId,
      await openInTransit<ClearRelianceRequest>(this.personalData, body),
      this.reliance,
      context,
    );
  }

  private async seal(
    { taxDocumentType, taxResidence, kycAttestationId, rewardTier, externalId, externalWallets }: ClearRelianceRequest,
    identity: Identity,
  ): Promise<RequestedTerms> {
    const { personalData, settings } = this;
    const holder = await sealIdentity(personalData, identity, taxResidence);
    return {
      mode: 'reliance',
      rewardTier,
      externalId,
      details: {
        mode: 'reliance',
        holder,
        taxDocumentType,
        kycAttestationId: await personalData.seal(holder.subjectId, kycAttestationId),
      },
      externalWallets: await sealWallets(personalData, holder.subjectId, externalWallets),
      fourEyes: relianceRequiresFourEyes({ rewardTier }),
      sandboxOutcome: settings.environment === 'sandbox' ? sandboxOutcome(identity) : null,
    };
  }
}
