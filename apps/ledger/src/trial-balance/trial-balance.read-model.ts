import { Injectable } from '@nestjs/common';
import type {
  AmountOf,
  DepositEvent,
  LedgerAccountEvent,
  Posting,
  TrialBalanceLine,
  WithdrawalEvent,
  Hold,
  HoldCursor,
  Timestamp,
} from '@ponte/contracts';
import type { AssetId } from '@ponte/kernel';
import { Money } from '@ponte/kernel';
import { defineEventReadModel } from '@ponte/nest';
import { changesFrom, exactSum } from '@ponte/read-models';
import { sql } from 'kysely';
import type { Change } from '@ponte/read-models';
import { deposit } from '../deposit/deposit.decider';
import { ledgerAccount } from '../ledger-account/ledger-account.decider';
import { withdrawal } from '../withdrawal/withdrawal.decider';

/** The reader name of the projector for the trial balance, the open holds and the FX trades. */
export const TRIAL_BALANCE_READER = 'ledger-trial-balance';

interface TrialBalanceSums {
  readonly house: readonly TrialBalanceLine[];
  /** The sums over all customers, by asset. */
  readonly customers: readonly AmountOf[];
}

interface LineRow {
  readonly account: string;
  readonly asset: AssetId;
  readonly minor: bigint;
}

/** The sums of all accounts, which lag the log by a moment. */
@Injectable()
export class TrialBalance extends defineEventReadModel<LineRow>({
  table: 'ledger_trial_balance_lines',
  reader: TRIAL_BALANCE_READER,
  columns: { account: 'text', asset: 'text', minor: 'sum' },
  key: ['account', 'asset'],
  from: [
    changesFrom(ledgerAccount, (event) => ({ put: postingsOf(event).map(rowOf) })),
    // Money in suspense belongs to no account, so it is posted in the stream of its deposit.
    changesFrom(deposit, (event) => ({ put: postingsOf(event).map(rowOf) })),
    // So is a payout that the bank made after it had refused it.
    changesFrom(withdrawal, (event) => ({ put: postingsOf(event).map(rowOf) })),
  ],
}) {
  /** A single query, so that all sums are from the same moment. The database adds up the lines of the customers. */
  async sums(): Promise<TrialBalanceSums> {
    const minor = exactSum('minor', this.readModels);
    const rows = await this.table.aggregate((lines) =>
      lines
        .select([PARTY.as('party'), 'asset', ...minor.parts])
        .groupBy(['party', 'asset'])
        .orderBy('party')
        .orderBy('asset'),
    );
    const lines = rows.map((row) => lineOf({ account: row.party, asset: row.asset, minor: minor.of(row) }));
    return {
      house: lines.filter(({ account }) => account !== CUSTOMERS),
      customers: lines.flatMap(({ account, asset, amount }) => (account === CUSTOMERS ? { asset, amount } : [])),
    };
  }

  /** The lines of all accounts. Those of customers may be very many, so metrics and reconciliation do not read them. */
  async lines(): Promise<readonly TrialBalanceLine[]> {
    return (await this.select((rows) => rows.orderBy('account').orderBy('asset'))).map(lineOf);
  }
}

const CUSTOMERS = 'customers';
/** The account of a line, or one name for all customers. */
const PARTY = sql<string>`case when account like 'customer:%' then ${sql.lit(CUSTOMERS)} else account end`;

const postingsOf = ({ data }: LedgerAccountEvent | DepositEvent | WithdrawalEvent): readonly Posting[] =>
  'postings' in data ? data.postings : [];

const rowOf = ({ account, asset, amount }: Posting): LineRow => ({
  account,
  asset,
  minor: Money.stored(asset, amount).minor,
});

const lineOf = ({ account, asset, minor }: LineRow): TrialBalanceLine => ({
  account,
  asset,
  amount: Money.of(asset, minor).toString(),
});

export interface OpenHold extends Hold {
  readonly accountId: string;
  readonly placedAt: Timestamp;
}

interface HoldRow {
  readonly hold_id: string;
  readonly account_id: string;
  readonly owner_kind: Hold['owner']['kind'];
  readonly owner_id: string;
  readonly asset: AssetId;
  readonly amount: string;
  readonly placed_at: string;
}

/** Holds that were placed and have not ended. */
@Injectable()
export class OpenHolds extends defineEventReadModel<HoldRow>({
  table: 'ledger_open_holds',
  reader: TRIAL_BALANCE_READER,
  columns: {
    hold_id: 'text',
    account_id: 'text',
    owner_kind: 'text',
    owner_id: 'text',
    asset: 'text',
    amount: 'text',
    placed_at: 'text',
  },
  key: ['hold_id'],
  indices: [['owner_kind', 'placed_at']],
  from: [changesFrom(ledgerAccount, changeOf)],
}) {
  /** Open holds, oldest first; `after` is the last one of the previous page. */
  async page(
    ownerKind: Hold['owner']['kind'],
    placedBefore: Timestamp,
    limit: number,
    after: HoldCursor | null = null,
  ): Promise<readonly OpenHold[]> {
    const rows = await this.select((all) => {
      const aged = all.where('owner_kind', '=', ownerKind).where('placed_at', '<', placedBefore);
      const rest = after
        ? aged.where(({ eb, refTuple, tuple }) =>
            eb(refTuple('placed_at', 'hold_id'), '>', tuple(after.placedAt, after.holdId)),
          )
        : aged;
      return rest.orderBy('placed_at').orderBy('hold_id').limit(limit);
    });
    return rows.map(({ hold_id, account_id, owner_kind, owner_id, asset, amount, placed_at }) => ({
      holdId: hold_id,
      owner: { kind: owner_kind, id: owner_id },
      asset,
      amount,
      accountId: account_id,
      placedAt: placed_at,
    }));
  }
}

function changeOf({ type, data }: LedgerAccountEvent): Change<HoldRow> | undefined {
  switch (type) {
    case 'HoldPlaced': {
      const { holdId, owner, asset, amount } = data.hold;
      const about = { hold_id: holdId, account_id: data.accountId, placed_at: data.placedAt };
      return { put: { ...about, owner_kind: owner.kind, owner_id: owner.id, asset, amount } };
    }
    case 'HoldReleased':
    case 'ExchangePosted':
    case 'TokenMovementPosted':
    case 'WithdrawalPosted':
    case 'DepositReversed':
      return data.holdId === null ? undefined : { remove: data.holdId };
    // The held payment of a charge is left out: it always ends posted or sent back, so it cannot be forgotten.
    case 'DepositPostedAndHeld':
    case 'DepositPosted':
    case 'DepositPostingBarred':
    case 'BalanceWrittenOff':
    case 'HouseLossPosted':
    case 'HouseLossReversed':
      return undefined;
  }
}
