import type { DailyTransfersEvent, Timestamp } from '@ponte/contracts';
import { TransferCounted, TransferUncounted } from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import { PersistentMap, derivedId, refuseAll, violation } from '@ponte/kernel';

/** Stream id of the transfers of an account on a day (YYYY-MM-DD in São Paulo). */
export const dailyTransfersId = (accountId: string, date: string): string =>
  derivedId('daily-transfers', accountId, date);

/** By the id of each transfer of tokens or a certificate that was counted: the attempt that counted it. */
interface DailyTransfers {
  readonly counted: PersistentMap<string>;
}

interface TransferOfDay {
  readonly accountId: string;
  readonly date: string;
  readonly transferId: string;
  readonly attemptId: string;
}

type DailyTransfersCommand =
  /** `limit`: how many transfers the account may make on the day. */
  | (TransferOfDay & { readonly kind: 'count'; readonly limit: number; readonly at: Timestamp })
  | (TransferOfDay & { readonly kind: 'uncount' });

/** The violation of a transfer that is not counted yet when the limit has been reached. */
export const countViolations = ({ counted }: DailyTransfers, transferId: string, limit: number) =>
  counted.has(transferId) || counted.size < limit
    ? []
    : [violation('limit-exceeded', '', `an account may make ${limit} transfers of tokens and certificates a day`)];

/**
 * A transfer is counted before it is created, so that parallel requests cannot exceed the limit. A repeated request
 * finds its own count. An attempt that is refused gives back what it counted itself, since another one may be creating
 * the transfer. A transfer that fails is not given back, because its transaction may have cost gas. If a request stops
 * before its transfer is created and is never repeated, it stays counted for the day. Refuses with `limit-exceeded`.
 */
export const dailyTransfers: Decider<DailyTransfersCommand, DailyTransfers, DailyTransfersEvent> = {
  category: 'dailyTransfers',
  initial: { counted: PersistentMap.empty() },
  events: [TransferCounted, TransferUncounted],
  decide(command, state) {
    const { accountId, date, transferId, attemptId } = command;
    const countedBy = state.counted.get(transferId);
    switch (command.kind) {
      case 'count':
        if (countedBy !== undefined) return [];
        refuseAll(countViolations(state, transferId, command.limit));
        return [new TransferCounted({ accountId, date, transferId, attemptId, countedAt: command.at })];
      case 'uncount':
        return countedBy === attemptId ? [new TransferUncounted({ accountId, date, transferId })] : [];
    }
  },
  evolve({ counted }, event) {
    const { transferId } = event.data;
    switch (event.type) {
      case 'TransferCounted':
        return { counted: counted.with(transferId, event.data.attemptId) };
      case 'TransferUncounted':
        return { counted: counted.without(transferId) };
    }
  },
};
