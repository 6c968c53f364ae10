import { event } from '@ponte/event-sourcing';
import type { Timestamp } from '../shared';

export const EVIDENCE_PURPOSES = ['document-front', 'document-back', 'power-of-attorney', 'other'] as const;
export type EvidencePurpose = (typeof EVIDENCE_PURPOSES)[number];

export const EVIDENCE_CONTENT_TYPES = ['image/jpeg', 'image/png', 'application/pdf'] as const;
export type EvidenceContentType = (typeof EVIDENCE_CONTENT_TYPES)[number];

/** The largest size of a file: 10 MB. */
export const MAX_EVIDENCE_BYTES = 10_000_000;

/**
 * Why the bytes of the file were deleted. `never-registered`: they were stored but never registered with onboarding, so
 * the stream has no `EvidenceFileUploaded`.
 */
export type EvidenceDeletionReason = 'unreferenced' | 'person-erased' | 'never-registered';

/** Stream `evidenceFile-<ev_…>`: the metadata of a file. Its bytes are in the blob store under the same id. */
export class EvidenceFileUploaded extends event('EvidenceFileUploaded')<{
  fileId: string;
  parentId: string;
  purpose: EvidencePurpose;
  contentType: EvidenceContentType;
  sizeBytes: number;
  sha256: string;
  uploadedAt: Timestamp;
  /**
   * Until when an account request may reference the file. A file that no request references is deleted one day later.
   */
  expiresAt: Timestamp;
}> {}
/** An account request references the file, so it no longer expires. */
export class EvidenceFileReferenced extends event('EvidenceFileReferenced')<{
  fileId: string;
  requestId: string;
  referencedAt: Timestamp;
}> {}
/** Appended before the bytes are deleted. The deletion is retried until it succeeds. */
export class EvidenceFileDeleted extends event('EvidenceFileDeleted')<{
  fileId: string;
  reason: EvidenceDeletionReason;
  deletedAt: Timestamp;
}> {}

export type EvidenceFileEvent = EvidenceFileUploaded | EvidenceFileReferenced | EvidenceFileDeleted;
