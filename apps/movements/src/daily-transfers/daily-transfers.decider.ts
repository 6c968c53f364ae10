import type { Timestamp } from '@ponte/contracts';
import { TransferCounted } from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import { PersistentMap, derivedId, refuseAll, violation } from '@ponte/kernel';

/** Stream id of the transfers of an account on a day (YYYY-MM-DD in São Paulo). */
export const dailyTransfersId = (accountId: string, date: string): string =>
  derivedId('daily-transfers', accountId, date);

/** The ids of the transfers of tokens and certificates that were counted. */
export interface DailyTransfers {
  readonly counted: PersistentMap<true>;
}

export interface CountTransfer {
  readonly accountId: string;
  readonly date: string;
  readonly transferId: string;
  /** How many transfers the account may make on the day. */
  readonly limit: number;
  readonly at: Timestamp;
}

/** The violation of a transfer that is not counted yet when the limit has been reached. */
export const countViolations = ({ counted }: DailyTransfers, transferId: string, limit: number) =>
  counted.has(transferId) || counted.size < limit
    ? []
    : [violation('limit-exceeded', '', `an account may make ${limit} transfers of tokens and certificates a day`)];

/**
 * A transfer is counted before it is created, so that parallel requests cannot exceed the limit. A repeated request
 * finds its own count. Nothing is given back: a transfer that fails may have cost the gas of its transaction. If a
 * request stops before its transfer is created and is never repeated, it stays counted for the day. Refuses with
 * `limit-exceeded`.
 */
export const dailyTransfers: Decider<CountTransfer, DailyTransfers, TransferCounted> = {
  category: 'dailyTransfers',
  initial: { counted: PersistentMap.empty() },
  events: [TransferCounted],
  decide({ accountId, date, transferId, limit, at }, state) {
    if (state.counted.has(transferId)) return [];
    refuseAll(countViolations(state, transferId, limit));
    return [new TransferCounted({ accountId, date, transferId, countedAt: at })];
  },
  evolve({ counted }, { data }) {
    return { counted: counted.with(data.transferId, true) };
  },
};
