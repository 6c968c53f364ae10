import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ClearRelianceRequest, CreateRelianceRequest, Identity, RequestedAccount } from '@ponte/contracts';
import { identityFingerprint, openInTransit, parseIdentity, permissionFaults, relianceFaults, relianceFormFaults, walletAddresses } from '@ponte/contracts';
import type { PayloadOf, PersonalData, RequestContext } from '@ponte/event-sourcing';
import { refuseAll } from '@ponte/kernel';
import { PERSONAL_DATA } from '@ponte/nest';
import { relianceWantsFourEyes, sandboxOutcome } from '../domain/account-request/four-eyes';
import { requestRecord } from '../domain/account-request/record';
import type { OnboardingSettings } from '../ports/settings';
import { ONBOARDING_SETTINGS_OF } from '../ports/settings';
import { Accounts } from './accounts';
import { parentFacts } from './parent-facts';
import type { WantedTerms } from './placement';
import { Placement } from './placement';
import { RequestFactsGatherer } from './request-facts';
import { refusingErased, sealIdentity, sealWallets } from './seal-person';

export class CreateRelianceRequestCommand extends Command<RequestedAccount> {
  constructor(readonly payload: PayloadOf<typeof CreateRelianceRequest>, readonly context: RequestContext) { super(); }
}

/** The twin of `CreateAccountRequest` for parents that check their people themselves: fewer facts, the same machine. */
@CommandHandler(CreateRelianceRequestCommand)
export class CreateRelianceRequestHandler implements ICommandHandler<CreateRelianceRequestCommand> {
  constructor(
    private readonly accounts: Accounts, private readonly placement: Placement, private readonly facts: RequestFactsGatherer,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    @Inject(ONBOARDING_SETTINGS_OF) private readonly settings: OnboardingSettings,
  ) {}

  async execute({ payload: { parentId, body }, context }: CreateRelianceRequestCommand): Promise<RequestedAccount> {
    const clear = await openInTransit<ClearRelianceRequest>(this.personalData, body);
    refuseAll(permissionFaults('reliance', clear.rewardTier, parentFacts(await this.accounts.load(parentId))));
    const identity = parseIdentity(clear.identifier);
    if (!identity) return this.judge(clear, parentId, null, context).then(() => { throw new Error('an identifier that cannot be read passed the rules'); });
    const applicant = { parentId, identity, fingerprint: identityFingerprint(this.personalData, identity) };
    const { created, request } = await this.placement.place(applicant, {
      addresses: walletAddresses(clear.externalWallets),
      judge: async (accountId) => {
        await this.judge(clear, parentId, accountId, context);
        return refusingErased(this.seal(clear, identity));
      },
    }, context);
    return { created, request: requestRecord(request) };
  }

  private async judge(clear: ClearRelianceRequest, parentId: string, accountId: string | null, context: RequestContext): Promise<void> {
    refuseAll(relianceFormFaults(clear));
    refuseAll(relianceFaults(clear, await this.facts.gather(parentId, [], clear.externalWallets, accountId, context)));
  }

  private async seal({ taxDocumentType, taxResidence, kycAttestationId, rewardTier, externalId, externalWallets }: ClearRelianceRequest, identity: Identity): Promise<WantedTerms> {
    const { personalData, settings } = this;
    const holder = await sealIdentity(personalData, identity, taxResidence);
    return {
      mode: 'reliance', rewardTier, externalId,
      details: { mode: 'reliance', holder, taxDocumentType, kycAttestationId: await personalData.seal(holder.subjectId, kycAttestationId) },
      externalWallets: await sealWallets(personalData, holder.subjectId, externalWallets),
      fourEyes: relianceWantsFourEyes({ rewardTier }),
      sandboxOutcome: settings.environment === 'sandbox' ? sandboxOutcome(identity) : null,
    };
  }
}
