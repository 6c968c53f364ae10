import { Injectable } from '@nestjs/common';
import { defineRepository } from '@ponte/nest';
import { evidenceFile } from '../domain/evidence-file/evidence-file';
import type { EvidenceFilesTable } from '../ports/evidence-files-table';
import { EVIDENCE_FILES_TABLE } from '../ports/evidence-files-table';
import { evidenceFileRow } from '../views/evidence-files';

/** The streams of evidence files. */
@Injectable()
export class EvidenceFiles extends defineRepository(evidenceFile, {
  readModel: EVIDENCE_FILES_TABLE,
  show: (table: EvidenceFilesTable, { state, revision }) => {
    const row = evidenceFileRow(state, revision);
    return row && table.put(row);
  },
}) {}
