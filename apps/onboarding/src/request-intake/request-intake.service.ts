import { Inject, Injectable } from '@nestjs/common';
import type {
  ClearKycRequest,
  ClearRelianceRequest,
  Identity,
  OnboardingMode,
  RequestedAccount,
} from '@ponte/contracts';
import { identityFingerprint, parseIdentity } from '@ponte/contracts';
import type { PersonalData, RequestContext } from '@ponte/event-sourcing';
import type { Violation } from '@ponte/kernel';
import { refuseAll } from '@ponte/kernel';
import { PERSONAL_DATA } from '@ponte/nest';
import { requestRecord } from '../account-request/account-request.record';
import { Accounts } from '../account/accounts.service';
import { parentPermissions } from './parent-permissions.domain';
import type { RequestedTerms } from './placement.service';
import { Placement } from './placement.service';
import { FilesAndWalletsReader } from './files-and-wallets.service';
import { refusingErased } from '../person/seal-person';
import type { FilesAndWallets } from '../request-rules/rule-inputs.domain';
import { permissionViolations } from '../request-rules/request-rules.domain';
import { walletAddresses } from '../request-rules/wallet-rules.domain';

/** The parts of the intake that differ between the two modes. */
export interface Mode<C> {
  readonly mode: OnboardingMode;
  readonly formViolations: (clear: C) => Violation[];
  /** Ids of the files that the request names. */
  readonly files: (clear: C) => readonly string[];
  /** Rules 3 to 12, as far as they apply to the mode. */
  readonly violations: (clear: C, filesAndWallets: FilesAndWallets) => Violation[];
  /** Seals the request. Called only after the rules have passed. */
  readonly seal: (clear: C, identity: Identity) => Promise<RequestedTerms>;
}

/** Checks in order: rules 1 and 2, the look-up of the person, rules 3 to 12, the reservations, the request. */
@Injectable()
export class RequestIntake {
  constructor(
    private readonly accounts: Accounts,
    private readonly placement: Placement,
    private readonly filesAndWallets: FilesAndWalletsReader,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  async take<C extends ClearKycRequest | ClearRelianceRequest>(
    parentId: string,
    clear: C,
    mode: Mode<C>,
    context: RequestContext,
  ): Promise<RequestedAccount> {
    refuseAll(permissionViolations(mode.mode, clear.rewardTier, parentPermissions(await this.accounts.load(parentId))));
    const checkRules = async (accountId: string | null): Promise<void> => {
      refuseAll(mode.formViolations(clear));
      refuseAll(
        mode.violations(
          clear,
          await this.filesAndWallets.read(parentId, mode.files(clear), clear.externalWallets, accountId, context),
        ),
      );
    };
    const identity = parseIdentity(clear.identifier, 'taxDocumentType' in clear ? clear.taxDocumentType : 'passport');
    // Without a valid identity there is no person to look up. Rule 3 reports why.
    if (!identity)
      return checkRules(null).then(() => {
        throw new Error('an identifier passed the rules but cannot be parsed');
      });
    const applicant = { parentId, identity, fingerprint: identityFingerprint(this.personalData, identity) };
    const { created, request } = await this.placement.place(
      applicant,
      {
        addresses: walletAddresses(clear.externalWallets),
        checkedTerms: async (accountId) => {
          await checkRules(accountId);
          return refusingErased(mode.seal(clear, identity));
        },
      },
      context,
    );
    return { created, request: requestRecord(request) };
  }
}
