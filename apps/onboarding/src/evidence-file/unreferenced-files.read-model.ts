import type { Kysely } from 'kysely';
import type { EvidenceFileRow, UnreferencedFiles } from './evidence-files-table.port';

interface Schema {
  onboarding_evidence_files: EvidenceFileRow;
}

/** Queries the table of files, in either SQL dialect. */
export function createUnreferencedFiles(readModels: Kysely<unknown>): UnreferencedFiles {
  const db = readModels as Kysely<Schema>;
  const loose = () => db.selectFrom('onboarding_evidence_files').where('standing', '=', 'unreferenced');
  return {
    async count(parentId) {
      const row = await loose()
        .where('parent_id', '=', parentId)
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirst();
      return Number(row?.count ?? 0);
    },
    async expired(before, limit) {
      const rows = await loose()
        .where('expires_at', '<', before)
        .select('id')
        .orderBy('expires_at')
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },
    async kept(ids) {
      if (ids.length === 0) return new Set();
      const rows = await db
        .selectFrom('onboarding_evidence_files')
        .where('id', 'in', ids)
        .where('standing', '!=', 'deleted')
        .select('id')
        .execute();
      return new Set(rows.map(({ id }) => id));
    },
  };
}
