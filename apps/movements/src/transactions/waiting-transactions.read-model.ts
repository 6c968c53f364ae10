import { Injectable } from '@nestjs/common';
import type { ChainTransactionEvent, TransactionIntended, TransactionPurpose } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import type { Chain } from '@ponte/kernel';
import type { JoinedDecisions, Waiting } from '@ponte/nest';
import { DECISION_COLUMNS, defineEventReadModel, joinedDecisions, waitingOf } from '@ponte/nest';
import type { Change } from '@ponte/read-models';
import { changesFrom } from '@ponte/read-models';
import { sql } from 'kysely';
import { isOfSuspense } from '../suspense-sending/is-of-suspense.domain';
import { chainTransaction } from './chain-transaction.decider';
import { MOVEMENT_DECISIONS } from '../waiting-work/movement-decisions.read-model';
import { TRANSACTIONS_READER } from './pending-transactions.read-model';

interface WaitingRow {
  readonly id: string;
  readonly chain: Chain;
  /** When it reached its current state, ISO 8601. A raised fee does not change the state. */
  readonly since: string;
  /**
   * The account and the subject of the address review on which the signature depends. Both null once the transaction is
   * signed, and for one that is signed in any case.
   */
  readonly account_id: string | null;
  readonly subject_id: string | null;
}

/** Unfinished transactions of a chain that wait for the same. */
interface Unfinished extends Waiting {
  readonly chain: Chain;
  readonly count: number;
}

interface Grouped extends JoinedDecisions {
  readonly chain: Chain;
  readonly unsigned: number | string;
  readonly count: number | string;
  readonly since: string;
}

/**
 * How long the unfinished transactions have been in their states. `PendingTransactions` cannot tell: there, each raise
 * of the fees begins the wait for the next one.
 */
@Injectable()
export class WaitingTransactions extends defineEventReadModel<WaitingRow>({
  table: 'waiting_transactions',
  reader: TRANSACTIONS_READER,
  columns: { id: 'text', chain: 'text', since: 'text', account_id: 'text?', subject_id: 'text?' },
  key: ['id'],
  from: [changesFrom(chainTransaction, changeOf)],
}) {
  /**
   * Unfinished transactions of each chain, with the earliest `since` of those that wait for the same decision.
   * `PendingTransactions` says which ones are unfinished: transactions that were already waiting when this table was
   * introduced have no row here. It also says which are unsigned: only these wait for staff.
   */
  async unfinished(): Promise<readonly Unfinished[]> {
    const { rows } = await sql<Grouped>`
      SELECT pending.chain, ${DECISION_COLUMNS},
        CASE WHEN pending.nonce IS NULL THEN 1 ELSE 0 END AS unsigned,
        count(*) AS count, min(coalesce(waiting.since, pending.since)) AS since
      FROM pending_transactions AS pending
      LEFT JOIN waiting_transactions AS waiting ON waiting.id = pending.id
      ${joinedDecisions(MOVEMENT_DECISIONS, 'waiting.account_id', 'waiting.subject_id')}
      GROUP BY 1, 2, 3, 4, 5, 6`.execute(this.readModels);
    return rows.map((row) => ({
      chain: row.chain,
      count: Number(row.count),
      // A signed one counts from its signature, whatever is decided later.
      ...(Number(row.unsigned) === 1
        ? waitingOf(row.since, row)
        : ({ waitsFor: 'nothing', since: row.since } as const)),
    }));
  }
}

function changeOf({ type, data, meta }: Recorded<ChainTransactionEvent>): Change<WaitingRow> | undefined {
  switch (type) {
    case 'TransactionIntended':
      return { put: { id: data.transactionId, chain: data.chain, since: meta.occurredAt, ...dependsOn(data) } };
    case 'TransactionSigned':
    case 'ReorgedAfterCompletion':
      return { put: { id: data.transactionId, chain: data.chain, since: meta.occurredAt, ...NOTHING } };
    case 'TransactionFeeRaised':
    case 'TransactionRefused':
    case 'TransactionFunded':
      return undefined;
    case 'TransactionGivenUp':
    case 'TransactionConfirmed':
    case 'TransactionRestored':
    case 'TransactionReverted':
    case 'TransactionLost':
    case 'TransactionSuperseded':
      return { remove: data.transactionId };
  }
}

const NOTHING = { account_id: null, subject_id: null } as const;

/** A transaction that restores a lost one, or moves tokens in suspense, is signed while its account is frozen, too. */
function dependsOn({ purpose, restores }: TransactionIntended['data']): Pick<WaitingRow, 'account_id' | 'subject_id'> {
  if (restores !== undefined || isOfSuspense(purpose)) return NOTHING;
  return { account_id: purpose.accountId, subject_id: subjectIdOf(purpose) };
}

function subjectIdOf(purpose: TransactionPurpose): string {
  switch (purpose.kind) {
    case 'mint':
    case 'redemption':
      return purpose.orderId;
    case 'token-movement':
      return purpose.owner.id;
    case 'nft-movement':
    case 'certificate-mint':
      return purpose.id;
  }
}
