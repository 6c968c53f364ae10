import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { AccountRequestRecord, ClearInformation, InformationProvided, ProvideInformation } from '@ponte/contracts';
import { openInTransit } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { refuse, refuseAll } from '@ponte/kernel';
import { PERSONAL_DATA, RequestCommand } from '@ponte/nest';
import type { OpenRequest } from '../account-request/account-request.state';
import { AccountRequests } from '../account-request/account-requests.service';
import { FilesAndWalletsReader } from './files-and-wallets.service';
import { refusingErased, sealAddress, sealLiveness } from '../person/seal-person';
import { informationViolations, informationFiles } from '../request-rules/information-rules.domain';

export class ProvideInformationCommand extends RequestCommand<typeof ProvideInformation> {}

type Sent = Omit<InformationProvided['data'], 'requestId' | 'accountId' | 'parentId' | 'providedAt'>;

/** Checks information that comes later with the same rules as the original request. */
@CommandHandler(ProvideInformationCommand)
export class ProvideInformationHandler implements ICommandHandler<ProvideInformationCommand> {
  constructor(
    private readonly requests: AccountRequests,
    private readonly filesAndWallets: FilesAndWalletsReader,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  async execute({
    payload: { parentId, requestId, body },
    context,
  }: ProvideInformationCommand): Promise<AccountRequestRecord> {
    const clear = await openInTransit<ClearInformation>(this.personalData, body);
    const state = await this.requests.ofParent(parentId, requestId);
    if (state.stage !== 'information-requested')
      refuse('information-not-requested', 'the request is not waiting for information', 'id');
    const { details } = state.terms;
    const kyc = details.mode === 'kyc' ? details : null;
    const residences = {
      holder: kyc?.holder.taxResidence ?? null,
      representative: kyc?.representative?.taxResidence ?? null,
    };
    const known = await this.filesAndWallets.usable(
      parentId,
      informationFiles(clear).map(({ fileId }) => fileId),
    );
    refuseAll(informationViolations(clear, residences, known));
    const sent = await refusingErased(this.seal(clear, state));
    return this.requests.record(requestId, (at) => ({ kind: 'provide-information', sent, at }), context);
  }

  private async seal(clear: ClearInformation, { terms: { details } }: OpenRequest): Promise<Sent> {
    const { personalData } = this;
    const subject = details.holder.subjectId;
    const representative = details.mode === 'kyc' ? details.representative : null;
    return {
      holder: {
        address: clear.address && (await sealAddress(personalData, subject, clear.address)),
        document: clear.document,
      },
      representative: {
        address:
          clear.representativeAddress &&
          representative &&
          (await sealAddress(personalData, representative.subjectId, clear.representativeAddress)),
        document: clear.representativeDocument,
        powerOfAttorneyFileId: clear.powerOfAttorneyFileId,
      },
      liveness: clear.liveness && (await sealLiveness(personalData, subject, clear.liveness)),
      otherFileIds: [...new Set(clear.otherFileIds)],
      note: clear.note === null ? null : await personalData.seal(subject, clear.note),
    };
  }
}
