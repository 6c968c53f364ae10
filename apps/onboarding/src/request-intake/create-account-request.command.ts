import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type {
  ClearKycRequest,
  CreateAccountRequest,
  Identity,
  RequestDetails,
  RequestedAccount,
} from '@ponte/contracts';
import { formViolations, openInTransit } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { PERSONAL_DATA, RequestCommand } from '@ponte/nest';
import { sandboxOutcome, requiresFourEyes } from '../account-request/four-eyes.domain';
import type { OnboardingSettings } from '../onboarding-settings.port';
import { ONBOARDING_SETTINGS_OF } from '../onboarding-settings.port';
import type { RequestedTerms } from './placement.service';
import type { Mode } from './request-intake.service';
import { RequestIntake } from './request-intake.service';
import { sealer, sealKycPerson, sealLiveness, sealRepresentative, sealWallets } from '../person/seal-person';
import { namedFiles } from '../request-rules/file-rules.domain';
import { requestViolations } from '../request-rules/request-rules.domain';

export class CreateAccountRequestCommand extends RequestCommand<typeof CreateAccountRequest> {}

/** Requests an account for a person whom we check ourselves (kyc mode). */
@CommandHandler(CreateAccountRequestCommand)
export class CreateAccountRequestHandler implements ICommandHandler<CreateAccountRequestCommand> {
  private readonly kyc: Mode<ClearKycRequest> = {
    mode: 'kyc',
    formViolations,
    violations: requestViolations,
    seal: (clear, identity) => this.seal(clear, identity),
    files: (clear) => namedFiles(clear).map(({ fileId }) => fileId),
  };

  constructor(
    private readonly intake: RequestIntake,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    @Inject(ONBOARDING_SETTINGS_OF) private readonly settings: OnboardingSettings,
  ) {}

  async execute({ payload: { parentId, body }, context }: CreateAccountRequestCommand): Promise<RequestedAccount> {
    return this.intake.take(parentId, await openInTransit<ClearKycRequest>(this.personalData, body), this.kyc, context);
  }

  private async seal(clear: ClearKycRequest, identity: Identity): Promise<RequestedTerms> {
    const { personalData, settings } = this;
    const holder = await sealKycPerson(personalData, clear);
    const seal = sealer(personalData, holder.subjectId);
    const [email, phone, motherFullName, financialProfile, liveness, representative, externalWallets] =
      await Promise.all([
        seal(clear.email),
        seal(clear.phone),
        seal(clear.motherFullName),
        seal(JSON.stringify(clear.financialProfile)),
        sealLiveness(personalData, holder.subjectId, clear.liveness),
        clear.representative ? sealRepresentative(personalData, clear.representative) : null,
        sealWallets(personalData, holder.subjectId, clear.externalWallets),
      ]);
    const details: RequestDetails = {
      mode: 'kyc',
      holder,
      email,
      phone,
      motherFullName,
      financialProfile,
      liveness,
      representative,
    };
    return {
      mode: 'kyc',
      rewardTier: clear.rewardTier,
      externalId: clear.externalId,
      details,
      externalWallets,
      fourEyes: requiresFourEyes(clear, settings.highRiskSectors),
      sandboxOutcome: settings.environment === 'sandbox' ? sandboxOutcome(identity) : null,
    };
  }
}
