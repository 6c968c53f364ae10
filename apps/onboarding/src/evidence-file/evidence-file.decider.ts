import type { EvidenceDeletionReason, EvidenceFileEvent, EvidenceFileRecord, Timestamp } from '@ponte/contracts';
import { EvidenceFileDeleted, EvidenceFileReferenced, EvidenceFileUploaded } from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import { addSeconds, canonicalJson, refuse } from '@ponte/kernel';

/** A file that no request references is deleted after 30 days. */
const UNREFERENCED_SECONDS = 30 * 24 * 3600;
/**
 * A request may reference the file until it expires. The file is deleted a day later, so that a reference made just
 * before is recorded in time.
 */
export const DELETION_GRACE_SECONDS = 24 * 3600;

type FileTerms = EvidenceFileUploaded['data'];

export type EvidenceFile =
  | { readonly status: 'absent' }
  /** The bytes were stored but never registered, and cannot be registered any more. */
  | { readonly status: 'abandoned' }
  | { readonly status: 'kept' | 'deleted'; readonly terms: FileTerms; readonly referencedBy: readonly string[] };

type EvidenceFileCommand =
  | { readonly kind: 'upload'; readonly terms: Omit<FileTerms, 'uploadedAt' | 'expiresAt'>; readonly at: Timestamp }
  | { readonly kind: 'reference'; readonly requestId: string; readonly at: Timestamp }
  | { readonly kind: 'delete-unreferenced'; readonly at: Timestamp }
  | { readonly kind: 'abandon'; readonly fileId: string; readonly at: Timestamp }
  | { readonly kind: 'delete'; readonly reason: EvidenceDeletionReason; readonly at: Timestamp };

/** An evidence file: the parent that uploaded it, the requests that reference it, and whether its bytes still exist. */
export const evidenceFile: Decider<EvidenceFileCommand, EvidenceFile, EvidenceFileEvent> = {
  category: 'evidenceFile',
  initial: { status: 'absent' },
  creation: EvidenceFileUploaded,
  events: [EvidenceFileUploaded, EvidenceFileReferenced, EvidenceFileDeleted],
  decide(command, state) {
    switch (command.kind) {
      case 'upload':
        return upload(command, state);
      case 'reference':
        if (state.status !== 'kept' || state.referencedBy.includes(command.requestId)) return [];
        return [
          new EvidenceFileReferenced({
            fileId: state.terms.fileId,
            requestId: command.requestId,
            referencedAt: command.at,
          }),
        ];
      case 'delete-unreferenced':
        if (
          state.status !== 'kept' ||
          state.referencedBy.length > 0 ||
          command.at < addSeconds(state.terms.expiresAt, DELETION_GRACE_SECONDS)
        )
          return [];
        return [new EvidenceFileDeleted({ fileId: state.terms.fileId, reason: 'unreferenced', deletedAt: command.at })];
      case 'abandon':
        return state.status === 'absent'
          ? [new EvidenceFileDeleted({ fileId: command.fileId, reason: 'never-registered', deletedAt: command.at })]
          : [];
      case 'delete':
        return state.status === 'kept'
          ? [new EvidenceFileDeleted({ fileId: state.terms.fileId, reason: command.reason, deletedAt: command.at })]
          : [];
    }
  },
  evolve(state, event) {
    switch (event.type) {
      case 'EvidenceFileUploaded':
        return { status: 'kept', terms: event.data, referencedBy: [] };
      case 'EvidenceFileReferenced': {
        const known = uploaded(state);
        return { ...known, referencedBy: [...known.referencedBy, event.data.requestId] };
      }
      case 'EvidenceFileDeleted':
        return state.status === 'absent' ? { status: 'abandoned' } : { ...uploaded(state), status: 'deleted' };
    }
  },
};

/** Rule 11: uploaded by this parent, and still available. */
export const isUsable = (file: EvidenceFile, parentId: string, at: Timestamp): boolean =>
  file.status === 'kept' &&
  file.terms.parentId === parentId &&
  (file.referencedBy.length > 0 || at < file.terms.expiresAt);

export function fileRecord(file: EvidenceFile): EvidenceFileRecord {
  const { uploadedAt, ...terms } = uploaded(file).terms;
  return { ...terms, createdAt: uploadedAt };
}

function upload(
  { terms, at }: Extract<EvidenceFileCommand, { kind: 'upload' }>,
  state: EvidenceFile,
): EvidenceFileEvent[] {
  if (state.status === 'absent')
    return [new EvidenceFileUploaded({ ...terms, uploadedAt: at, expiresAt: addSeconds(at, UNREFERENCED_SECONDS) })];
  if (state.status === 'abandoned')
    return refuse(
      'file-not-found',
      'the bytes were deleted before they were registered; upload the file again',
      'file',
    );
  const { uploadedAt: _at, expiresAt: _expires, ...known } = state.terms;
  return canonicalJson(known) === canonicalJson(terms)
    ? []
    : refuse('invalid-format', 'a file with this id exists with different data', 'id');
}

function uploaded(file: EvidenceFile): Exclude<EvidenceFile, { status: 'absent' | 'abandoned' }> {
  if (file.status === 'absent' || file.status === 'abandoned')
    throw new Error('a file cannot change before it is uploaded');
  return file;
}
