import { event } from '@ponte/event-sourcing';
import type { Timestamp } from '../shared';

export const EVIDENCE_PURPOSES = ['document-front', 'document-back', 'power-of-attorney', 'other'] as const;
export type EvidencePurpose = (typeof EVIDENCE_PURPOSES)[number];

export const EVIDENCE_CONTENT_TYPES = ['image/jpeg', 'image/png', 'application/pdf'] as const;
export type EvidenceContentType = (typeof EVIDENCE_CONTENT_TYPES)[number];

/** The largest size of a file: 10 MB. */
export const MAX_EVIDENCE_BYTES = 10_000_000;

/**
 * Why the bytes are gone. `never-registered`: they were stored and never registered with onboarding, so that no upload
 * precedes this.
 */
export type EvidenceDeletionReason = 'unreferenced' | 'person-erased' | 'never-registered';

/** Stream `evidenceFile-<ev_…>`: what is known of a file; its bytes lie in the blob store under the same id. */
export class EvidenceFileUploaded extends event('EvidenceFileUploaded')<{
  fileId: string;
  parentId: string;
  purpose: EvidencePurpose;
  contentType: EvidenceContentType;
  sizeBytes: number;
  sha256: string;
  uploadedAt: Timestamp;
  /** Without a request that names it, it goes then. */
  expiresAt: Timestamp;
}> {}
export class EvidenceFileReferenced extends event('EvidenceFileReferenced')<{
  fileId: string;
  requestId: string;
  referencedAt: Timestamp;
}> {}
/** Written before the bytes are deleted, which is repeated until it is done. */
export class EvidenceFileDeleted extends event('EvidenceFileDeleted')<{
  fileId: string;
  reason: EvidenceDeletionReason;
  deletedAt: Timestamp;
}> {}

export type EvidenceFileEvent = EvidenceFileUploaded | EvidenceFileReferenced | EvidenceFileDeleted;
