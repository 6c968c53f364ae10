import type { OnModuleInit, Type } from '@nestjs/common';
import type { AddressSubjectKind, Timestamp } from '@ponte/contracts';
import { AccountClosed, AccountFrozen, AccountReleased, AddressReviewed, AddressReviewOpened } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { upcaster } from '@ponte/event-sourcing';
import type { Change } from '@ponte/read-models';
import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { ReadModelClass } from './define-read-model';
import type { EventReadModel } from './define-event-read-model';
import { defineEventReadModel } from './define-event-read-model';

/** What work waits for: the release of its frozen account, the review of its address, or no decision of staff. */
export const AWAITED = ['nothing', 'release', 'review'] as const;
export type Awaited = (typeof AWAITED)[number];

/** A decision of staff about an account (`release`) or about the address of a subject (`review`). */
interface DecisionRow {
  readonly decision: Exclude<Awaited, 'nothing'>;
  /** Id of the account, or of the subject of the review. */
  readonly id: string;
  /** Since when the decision is awaited: the latest freeze, or the opening of the review. Null once it was made. */
  readonly awaited_since: Timestamp | null;
  /** When it was made; null while it is awaited. The closing of a frozen account counts as well. */
  readonly made_at: Timestamp | null;
}

/** The decisions about the account and about the subject of some work, as {@link joinedDecisions} selects them. */
export interface JoinedDecisions {
  readonly release_since: Timestamp | null;
  readonly released_at: Timestamp | null;
  readonly review_since: Timestamp | null;
  readonly reviewed_at: Timestamp | null;
}

/** What some work waits for, and since when. */
export interface Waiting {
  readonly waitsFor: Awaited;
  readonly since: Timestamp;
}

/**
 * Creates the base class of a read model of the decisions of staff that work of a service may wait for. It follows the
 * freezes of all accounts, and the address reviews of these subjects. Only metrics use it: no decision rests on it.
 */
export function defineAwaitedDecisions(options: {
  /** Also the name of the reader. */
  readonly table: string;
  readonly subjects: readonly AddressSubjectKind[];
}): Type<EventReadModel<DecisionRow> & OnModuleInit> & ReadModelClass {
  return defineEventReadModel<DecisionRow>({
    table: options.table,
    columns: { decision: 'text', id: 'text', awaited_since: 'text?', made_at: 'text?' },
    key: ['decision', 'id'],
    from: [
      { category: 'account', changesOf: changeOfAccount },
      { category: 'addressReview', changesOf: (event) => changeOfReview(event, options.subjects) },
    ],
  });
}

/** Joins the decisions about an account and a subject, both given as columns, to a statement. */
export const joinedDecisions = (table: string, account: string, subject: string): RawBuilder<unknown> => sql`
  LEFT JOIN ${sql.table(table)} AS released ON released.decision = 'release' AND released.id = ${sql.ref(account)}
  LEFT JOIN ${sql.table(table)} AS reviewed ON reviewed.decision = 'review' AND reviewed.id = ${sql.ref(subject)}`;

/** The columns of {@link JoinedDecisions}. */
export const DECISION_COLUMNS = sql`
  released.awaited_since AS release_since, released.made_at AS released_at,
  reviewed.awaited_since AS review_since, reviewed.made_at AS reviewed_at`;

export const IS_AWAITED = sql`(released.awaited_since IS NOT NULL OR reviewed.awaited_since IS NOT NULL)`;

const latest = (...times: readonly (Timestamp | null)[]): Timestamp =>
  times.reduce<Timestamp>((last, at) => (at !== null && at > last ? at : last), '');

/**
 * What work waits for that began at `since`. Waiting work counts from the freeze or the review. Other work counts from
 * the last decision, so that it is not late at once after weeks of waiting.
 */
export function waitingOf(since: Timestamp, decisions: JoinedDecisions): Waiting {
  const { release_since, released_at, review_since, reviewed_at } = decisions;
  if (release_since !== null) return { waitsFor: 'release', since: latest(since, release_since) };
  if (review_since !== null) return { waitsFor: 'review', since: latest(since, review_since) };
  return notWaiting(since, { released_at, reviewed_at });
}

/** Work that began at `since` and no longer waits for any decision. */
export const notWaiting = (
  since: Timestamp,
  { released_at, reviewed_at }: Pick<JoinedDecisions, 'released_at' | 'reviewed_at'>,
): Waiting => ({ waitsFor: 'nothing', since: latest(since, released_at, reviewed_at) });

/**
 * Signed work that began at `since`. It waits for no decision, and one that was made after the signature does not
 * change its age. `signedAt` is null if it is not known.
 */
export const signedWork = (
  since: Timestamp,
  signedAt: Timestamp | null,
  { released_at, reviewed_at }: Pick<JoinedDecisions, 'released_at' | 'reviewed_at'>,
): Waiting => ({
  waitsFor: 'nothing',
  since: latest(since, ...[released_at, reviewed_at].filter((at) => (at ?? '~') <= (signedAt ?? ''))),
});

export const IS_MADE = sql`(released.made_at IS NOT NULL OR reviewed.made_at IS NOT NULL)`;

const current = upcaster([AccountFrozen, AccountReleased, AccountClosed, AddressReviewOpened, AddressReviewed]);

const awaited = (decision: DecisionRow['decision'], id: string, since: Timestamp): Change<DecisionRow> => ({
  put: { decision, id, awaited_since: since, made_at: null },
});
const made = (decision: DecisionRow['decision'], id: string, at: Timestamp): Change<DecisionRow> => ({
  put: { decision, id, awaited_since: null, made_at: at },
});

/** The account's other events, also those of later releases, change no row. */
function changeOfAccount(event: Recorded): Change<DecisionRow> | undefined {
  switch (event.type) {
    case AccountFrozen.type: {
      const { accountId, frozenAt } = current<AccountFrozen>(event).data;
      return awaited('release', accountId, frozenAt);
    }
    case AccountReleased.type: {
      const { accountId, releasedAt } = current<AccountReleased>(event).data;
      return made('release', accountId, releasedAt);
    }
    case AccountClosed.type: {
      const { accountId, closedAt } = current<AccountClosed>(event).data;
      return made('release', accountId, closedAt);
    }
    default:
      return undefined;
  }
}

function changeOfReview(event: Recorded, subjects: readonly AddressSubjectKind[]): Change<DecisionRow> | undefined {
  switch (event.type) {
    case AddressReviewOpened.type: {
      const { subject, openedAt } = current<AddressReviewOpened>(event).data;
      return subjects.includes(subject.kind) ? awaited('review', subject.id, openedAt) : undefined;
    }
    case AddressReviewed.type: {
      const { subject, outcome, reviewedAt } = current<AddressReviewed>(event).data;
      // After the first of two verdicts, the subject still waits.
      return subjects.includes(subject.kind) && outcome !== 'waits'
        ? made('review', subject.id, reviewedAt)
        : undefined;
    }
    default:
      return undefined;
  }
}
