import { Inject, Injectable } from '@nestjs/common';
import type { EvidenceFileRecord, EvidencePurpose } from '@ponte/contracts';
import { RegisterEvidenceFile } from '@ponte/contracts';
import { evidenceFileId, Refusal, refusal } from '@ponte/kernel';
import type { Call } from '../../edge/request-context.service';
import { Services } from '../../edge/request-context.service';
import type { Blobs } from '@ponte/event-sourcing';
import { BlobDeleted } from '@ponte/event-sourcing';
import type { Tracing } from '@ponte/observability';
import { BLOBS, TRACING } from '@ponte/nest';
import { traceContextOf } from '@ponte/observability';
import type { FileInspection } from '../../file-inspection/file-inspection.port';
import { FILE_INSPECTION } from '../../file-inspection/file-inspection.port';

interface Upload {
  readonly bytes: Buffer;
  readonly purpose: EvidencePurpose;
}

/** Stores files directly in the blob store. The onboarding service receives only their type, size and hash. */
@Injectable()
export class EvidenceUploads {
  constructor(
    private readonly services: Services,
    @Inject(FILE_INSPECTION) private readonly inspection: FileInspection,
    @Inject(BLOBS) private readonly blobs: Pick<Blobs, 'put' | 'delete'>,
    @Inject(TRACING) private readonly tracing: Tracing,
  ) {}

  /** Inspects, stores and registers a file. A repetition of the same call, however late, results in the same file. */
  keep(upload: Upload, call: Call): Promise<EvidenceFileRecord> {
    return this.tracing.inSpan(traceContextOf({ correlationId: call.id, traceparent: call.traceparent }), () =>
      this.kept(upload, call),
    );
  }

  private async kept({ bytes, purpose }: Upload, call: Call): Promise<EvidenceFileRecord> {
    const { contentType, sizeBytes, sha256 } = await this.inspection.inspect(bytes);
    const fileId = evidenceFileId(Buffer.from(call.commandId.replaceAll('-', ''), 'hex'));
    await this.store(fileId, bytes, contentType);
    try {
      return await this.services.request(
        RegisterEvidenceFile,
        { fileId, parentId: call.accountId, purpose, contentType, sizeBytes, sha256 },
        call,
      );
    } catch (error) {
      // After a refusal the file is certainly not registered, so no request can refer to it and its bytes would stay
      // forever. After any other error the file may have been registered.
      if (error instanceof Refusal) await this.blobs.delete(fileId);
      throw error;
    }
  }

  private async store(fileId: string, bytes: Buffer, contentType: string): Promise<void> {
    try {
      await this.blobs.put(fileId, bytes, { contentType });
    } catch (error) {
      throw error instanceof BlobDeleted
        ? refusal(
            'file-not-found',
            'the file of this Idempotency-Key was deleted; upload it again with another key',
            'file',
          )
        : error;
    }
  }
}
