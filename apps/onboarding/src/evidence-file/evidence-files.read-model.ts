import { Injectable } from '@nestjs/common';
import type { Timestamp } from '@ponte/contracts';
import { defineReadModel } from '@ponte/nest';
import { evidenceFile } from './evidence-file.decider';

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
  rows: ({ state, revision }) => {
    if (state.status === 'absent' || state.status === 'abandoned') return undefined;
    const { fileId: id, parentId, uploadedAt, expiresAt } = state.terms;
    const isReferenced = state.referencedBy.length > 0;
    const standing = state.status === 'deleted' ? 'deleted' : isReferenced ? 'referenced' : 'unreferenced';
    return { id, revision, created_at: uploadedAt, parent_id: parentId, expires_at: expiresAt, standing };
  },
}) {
  /** Counts the files of a parent that no request references. */
  countUnreferenced(parentId: string): Promise<number> {
    return this.table.count((rows) => rows.where('standing', '=', 'unreferenced').where('parent_id', '=', parentId));
  }

  /** Ids of unreferenced files that expired before the time, oldest first. */
  async expired(before: Timestamp, limit: number): Promise<readonly string[]> {
    const rows = await this.table.rows
      .select('id')
      .where('standing', '=', 'unreferenced')
      .where('expires_at', '<', before)
      .orderBy('expires_at')
      .limit(limit)
      .execute();
    return rows.map(({ id }) => id);
  }

  /** Those of the ids that belong to files that were registered and not deleted. */
  async kept(ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const rows = await this.table.rows.select('id').where('id', 'in', ids).where('standing', '!=', 'deleted').execute();
    return new Set(rows.map(({ id }) => id));
  }
}
