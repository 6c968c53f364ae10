import type { Timestamp } from '@ponte/contracts';

export interface EvidenceFileRow {
  readonly id: string;
  readonly revision: number;
  readonly created_at: Timestamp;
  readonly parent_id: string;
  readonly expires_at: Timestamp;
  readonly standing: 'unreferenced' | 'referenced' | 'deleted';
}

/** Queries over all files. */
export interface UnreferencedFiles {
  /** Counts the files of a parent that no request references. */
  count(parentId: string): Promise<number>;
  /** Ids of unreferenced files that expired before the time, oldest first. */
  expired(before: Timestamp, limit: number): Promise<readonly string[]>;
  /** Returns the given ids that belong to files that were registered and not deleted. */
  kept(ids: readonly string[]): Promise<ReadonlySet<string>>;
}

export const UNREFERENCED_FILES = Symbol('UnreferencedFiles');
