import { Injectable } from '@nestjs/common';
import type { Timestamp } from '@ponte/contracts';
import { defineReadModel } from '@ponte/nest';
import { screeningRound } from './screening-round.decider';

/** Screening rounds, one or a few per day. */
@Injectable()
export class ScreeningRoundReadModel extends defineReadModel({
  table: 'onboarding_screening_rounds',
  reader: 'onboarding-rounds',
  of: screeningRound,
  columns: { lists_version: 'text', completed_at: 'text?' },
  indices: [[], ['completed_at']],
  rows: ({ id, state, revision }) =>
    state.status === 'absent'
      ? undefined
      : {
          ...{ id, revision, created_at: state.startedAt },
          ...{ lists_version: state.listsVersion, completed_at: state.completedAt },
        },
}) {
  async lastCompleted(): Promise<{ readonly listsVersion: string; readonly at: Timestamp } | null> {
    const row = await this.table.rows
      .select(['lists_version', 'completed_at'])
      .where('completed_at', 'is not', null)
      .orderBy('completed_at', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row?.completed_at ? { listsVersion: row.lists_version, at: row.completed_at } : null;
  }

  /** When the first round was started; null before that. */
  firstStarted(): Promise<Timestamp | null> {
    return this.table.earliest('created_at');
  }

  /** The ids of the two rounds that were started last, the latest first. */
  async lastStarted(): Promise<readonly string[]> {
    const rows = await this.table.rows.select('id').orderBy('created_at', 'desc').limit(2).execute();
    return rows.map(({ id }) => id);
  }
}
