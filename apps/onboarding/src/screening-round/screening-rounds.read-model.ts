import { Injectable } from '@nestjs/common';
import type { Timestamp } from '@ponte/contracts';
import type { RowOf } from '@ponte/nest';
import { defineReadModel } from '@ponte/nest';
import type { Kysely } from 'kysely';
import { screeningRound } from './screening-round.decider';

const RoundList = defineReadModel({
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
});

/** Screening rounds, one or a few per day. */
@Injectable()
export class ScreeningRoundReadModel extends RoundList {
  private readonly db = this.readModels as unknown as Kysely<{ onboarding_screening_rounds: RowOf<typeof RoundList> }>;

  /** The round that was completed last. */
  async lastCompleted(): Promise<{ readonly listsVersion: string; readonly at: Timestamp } | null> {
    const row = await this.db
      .selectFrom('onboarding_screening_rounds')
      .select(['lists_version', 'completed_at'])
      .where('completed_at', 'is not', null)
      .orderBy('completed_at', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row?.completed_at ? { listsVersion: row.lists_version, at: row.completed_at } : null;
  }

  /** When the first round was started; null before that. */
  async firstStarted(): Promise<Timestamp | null> {
    const row = await this.db
      .selectFrom('onboarding_screening_rounds')
      .select('created_at')
      .orderBy('created_at')
      .limit(1)
      .executeTakeFirst();
    return row?.created_at ?? null;
  }

  /** The ids of the two rounds that were started last, the latest first. */
  async lastStarted(): Promise<readonly string[]> {
    const rows = await this.db
      .selectFrom('onboarding_screening_rounds')
      .select('id')
      .orderBy('created_at', 'desc')
      .limit(2)
      .execute();
    return rows.map(({ id }) => id);
  }
}
