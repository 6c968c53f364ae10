import { Inject, Injectable } from '@nestjs/common';
import type { EvidenceFile } from '../domain/evidence-file/evidence-file';
import type { EvidenceFileRow, EvidenceFilesTable } from '../ports/evidence-files-table';
import { EVIDENCE_FILES_TABLE } from '../ports/evidence-files-table';

/** The files that no request names, so that they can be counted and go when their time comes. */
@Injectable()
export class EvidenceFilesView {
  constructor(@Inject(EVIDENCE_FILES_TABLE) private readonly table: EvidenceFilesTable) {}

  async put(file: EvidenceFile, revision: number): Promise<void> {
    const row = evidenceFileRow(file, revision);
    if (row) await this.table.put(row);
  }
}

/** The row of a file at a revision of its stream; undefined when none was registered. */
export function evidenceFileRow(file: EvidenceFile, revision: number): EvidenceFileRow | undefined {
  if (file.status === 'absent' || file.status === 'abandoned') return undefined;
  const { fileId, parentId, uploadedAt, expiresAt } = file.terms;
  const standing = file.status === 'deleted' ? 'deleted' : file.referencedBy.length > 0 ? 'referenced' : 'unreferenced';
  return { id: fileId, revision, created_at: uploadedAt, parent_id: parentId, expires_at: expiresAt, standing };
}
