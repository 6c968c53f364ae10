import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ClearKycRequest, CreateAccountRequest, RequestDetails, RequestedAccount } from '@ponte/contracts';
import { formFaults, identityFingerprint, namedFiles, openInTransit, parseIdentity, permissionFaults, requestFaults, walletAddresses } from '@ponte/contracts';
import type { PayloadOf, PersonalData, RequestContext } from '@ponte/event-sourcing';
import { refuseAll } from '@ponte/kernel';
import { PERSONAL_DATA } from '@ponte/nest';
import { sandboxOutcome, wantsFourEyes } from '../domain/account-request/four-eyes';
import { requestRecord } from '../domain/account-request/record';
import type { OnboardingSettings } from '../ports/settings';
import { ONBOARDING_SETTINGS_OF } from '../ports/settings';
import { parentFacts } from './parent-facts';
import { Accounts } from './accounts';
import type { WantedTerms } from './placement';
import { Placement } from './placement';
import { RequestFactsGatherer } from './request-facts';
import { refusingErased, sealer, sealKycPerson, sealLiveness, sealRepresentative, sealWallets, identityOf } from './seal-person';

export class CreateAccountRequestCommand extends Command<RequestedAccount> {
  constructor(readonly payload: PayloadOf<typeof CreateAccountRequest>, readonly context: RequestContext) { super(); }
}

/** contract.md §8, order of checks: rules 1 and 2, the look-up of the person, rules 3 to 12; then reservations, then the request. */
@CommandHandler(CreateAccountRequestCommand)
export class CreateAccountRequestHandler implements ICommandHandler<CreateAccountRequestCommand> {
  constructor(
    private readonly accounts: Accounts, private readonly placement: Placement, private readonly facts: RequestFactsGatherer,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    @Inject(ONBOARDING_SETTINGS_OF) private readonly settings: OnboardingSettings,
  ) {}

  async execute({ payload: { parentId, body }, context }: CreateAccountRequestCommand): Promise<RequestedAccount> {
    const clear = await openInTransit<ClearKycRequest>(this.personalData, body);
    refuseAll(permissionFaults('kyc', clear.rewardTier, parentFacts(await this.accounts.load(parentId))));
    const identity = parseIdentity(clear.identifier);
    // Without a person there is nobody to look up; rule 3 says why.
    if (!identity) return this.judge(clear, parentId, null, context).then(() => { throw new Error('an identifier that cannot be read passed the rules'); });
    const applicant = { parentId, identity, fingerprint: identityFingerprint(this.personalData, identity) };
    const { created, request } = await this.placement.place(applicant, {
      addresses: walletAddresses(clear.externalWallets),
      judge: async (accountId) => {
        await this.judge(clear, parentId, accountId, context);
        return refusingErased(this.seal(clear));
      },
    }, context);
    return { created, request: requestRecord(request) };
  }

  private async judge(clear: ClearKycRequest, parentId: string, accountId: string | null, context: RequestContext): Promise<void> {
    refuseAll(formFaults(clear));
    const files = namedFiles(clear).map(({ fileId }) => fileId);
    refuseAll(requestFaults(clear, await this.facts.gather(parentId, files, clear.externalWallets, accountId, context)));
  }

  private async seal(clear: ClearKycRequest): Promise<WantedTerms> {
    const { personalData, settings } = this;
    const holder = await sealKycPerson(personalData, clear);
    const seal = sealer(personalData, holder.subjectId);
    const [email, phone, motherFullName, financialProfile, liveness, representative, externalWallets] = await Promise.all([
      seal(clear.email), seal(clear.phone), seal(clear.motherFullName), seal(JSON.stringify(clear.financialProfile)),
      sealLiveness(personalData, holder.subjectId, clear.liveness),
      clear.representative ? sealRepresentative(personalData, clear.representative) : null,
      sealWallets(personalData, holder.subjectId, clear.externalWallets),
    ]);
    const details: RequestDetails = { mode: 'kyc', holder, email, phone, motherFullName, financialProfile, liveness, representative };
    return {
      mode: 'kyc', rewardTier: clear.rewardTier, externalId: clear.externalId, details, externalWallets,
      fourEyes: wantsFourEyes(clear, settings.highRiskSectors),
      sandboxOutcome: settings.environment === 'sandbox' ? sandboxOutcome(identityOf(clear.identifier)) : null,
    };
  }
}
