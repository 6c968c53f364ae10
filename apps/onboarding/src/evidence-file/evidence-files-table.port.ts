import type { Timestamp } from '@ponte/contracts';

export interface EvidenceFileRow {
  readonly id: string;
  readonly revision: number;
  readonly created_at: Timestamp;
  readonly parent_id: string;
  readonly expires_at: Timestamp;
  readonly standing: 'unreferenced' | 'referenced' | 'deleted';
}

/** Questions over all files. */
export interface UnreferencedFiles {
  /** How many of a parent's files no request names. */
  count(parentId: string): Promise<number>;
  /** Ids of those that expired before the time, oldest first. */
  expired(before: Timestamp, limit: number): Promise<readonly string[]>;
  /** Which of the ids are those of files that someone uploaded and that were not deleted. */
  kept(ids: readonly string[]): Promise<ReadonlySet<string>>;
}

export const UNREFERENCED_FILES = Symbol('UnreferencedFiles');
