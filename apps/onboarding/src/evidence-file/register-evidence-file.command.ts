import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { EvidenceFileRecord, RegisterEvidenceFile } from '@ponte/contracts';
import { EVIDENCE_CONTENT_TYPES, EVIDENCE_PURPOSES, MAX_EVIDENCE_BYTES } from '@ponte/contracts';
import type { PayloadOf } from '@ponte/event-sourcing';
import { isEvidenceFileId, refuse, refuseAll, violation } from '@ponte/kernel';
import { RequestCommand } from '@ponte/nest';
import { fileRecord } from './evidence-file.decider';
import { EvidenceFileReadModel } from './evidence-files.read-model';
import type { OnboardingSettings } from '../onboarding-settings.port';
import { ONBOARDING_SETTINGS_OF } from '../onboarding-settings.port';
import { EvidenceFiles } from './evidence-files.repository';

type Payload = PayloadOf<typeof RegisterEvidenceFile>;

const SHA_256 = /^[0-9a-f]{64}$/;

export class RegisterEvidenceFileCommand extends RequestCommand<typeof RegisterEvidenceFile> {}

/** Registers a file whose bytes the gateway has stored, so that requests may reference it. */
@CommandHandler(RegisterEvidenceFileCommand)
export class RegisterEvidenceFileHandler implements ICommandHandler<RegisterEvidenceFileCommand> {
  constructor(
    private readonly files: EvidenceFiles,
    private readonly readModel: EvidenceFileReadModel,
    @Inject(ONBOARDING_SETTINGS_OF) private readonly settings: OnboardingSettings,
  ) {}

  async execute({ payload, context }: RegisterEvidenceFileCommand): Promise<EvidenceFileRecord> {
    refuseAll(violationsOf(payload));
    const { fileId, parentId, purpose, contentType, sizeBytes, sha256 } = payload;
    // A repetition is accepted at the limit too. After a refusal the gateway deletes the bytes of the registered file.
    if (
      (await this.readModel.countUnreferenced(parentId)) >= this.settings.maxUnreferencedFiles &&
      (await this.files.load(fileId)).status === 'absent'
    )
      refuse('limit-exceeded', limitOf(this.settings.maxUnreferencedFiles), 'file');
    const terms = { fileId, parentId, purpose, contentType, sizeBytes, sha256 };
    return fileRecord(await this.files.execute(fileId, (at) => ({ kind: 'upload', terms, at }), context));
  }
}

const limitOf = (max: number): string =>
  `at most ${max} uploaded files may be waiting for a request that names them; name some in a request first`;

const violationsOf = ({ fileId, purpose, contentType, sizeBytes, sha256 }: Payload) => [
  ...(isEvidenceFileId(fileId)
    ? []
    : [violation('invalid-format', 'id', 'must be ev_ followed by capital letters and digits')]),
  ...(EVIDENCE_PURPOSES.includes(purpose)
    ? []
    : [violation('invalid-enum-value', 'purpose', `must be one of ${EVIDENCE_PURPOSES.join(', ')}`)]),
  ...(EVIDENCE_CONTENT_TYPES.includes(contentType)
    ? []
    : [violation('invalid-enum-value', 'content-type', `must be one of ${EVIDENCE_CONTENT_TYPES.join(', ')}`)]),
  ...(Number.isInteger(sizeBytes) && sizeBytes > 0 && sizeBytes <= MAX_EVIDENCE_BYTES
    ? []
    : [violation('invalid-format', 'file', 'must have 1 byte to 10 MB')]),
  ...(SHA_256.test(sha256) ? [] : [violation('invalid-format', 'sha-256', 'must be 64 lower-case hexadecimal digits')]),
];
