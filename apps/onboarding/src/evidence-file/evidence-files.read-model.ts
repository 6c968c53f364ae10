import { Injectable } from '@nestjs/common';
import { defineReadModel } from '@ponte/nest';
import type { EvidenceFile } from './evidence-file.decider';
import { evidenceFile } from './evidence-file.decider';
import type { EvidenceFileRow } from './evidence-files-table.port';

/** The row of a file at a revision of its stream; undefined if the file was never registered. */
function evidenceFileRow(file: EvidenceFile, revision: number): EvidenceFileRow | undefined {
  if (file.status === 'absent' || file.status === 'abandoned') return undefined;
  const { fileId, parentId, uploadedAt, expiresAt } = file.terms;
  const standing = file.status === 'deleted' ? 'deleted' : file.referencedBy.length > 0 ? 'referenced' : 'unreferenced';
  return { id: fileId, revision, created_at: uploadedAt, parent_id: parentId, expires_at: expiresAt, standing };
}

/** Evidence files by state, so that unreferenced ones can be counted and deleted when they expire. */
@Injectable()
export class EvidenceFileReadModel extends defineReadModel({
  table: 'onboarding_evidence_files',
  reader: 'onboarding-requests',
  of: evidenceFile,
  columns: { parent_id: 'text', expires_at: 'text', standing: 'text' },
  indices: [
    ['standing', 'expires_at'],
    ['standing', 'parent_id'],
  ],
  rows: ({ state, revision }) => evidenceFileRow(state, revision),
}) {}
