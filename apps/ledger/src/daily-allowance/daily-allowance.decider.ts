import type { DailyAllowanceEvent } from '@ponte/contracts';
import { AllowanceReturned, AllowanceTaken } from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import { Money, PersistentMap, derivedId, refuse } from '@ponte/kernel';
import { HoldAbandoned } from '../withdrawal/withdrawal.state';

/** What an account may withdraw of an asset per day. Null means no limit. */
export interface DailyLimit {
  /** Decimal string at the asset's scale. */
  readonly amount: string | null;
  readonly count: number | null;
}

interface DailyAllowance {
  /** Amounts in minor units, by the id of the withdrawal's hold; 0 for one that only counts. */
  readonly taken: PersistentMap<bigint>;
  /** The sum of these amounts. */
  readonly sum: bigint;
  /** The holds that gave their share back, so that a late request cannot take it again. */
  readonly returned: PersistentMap<true>;
}

interface AllowanceUse {
  readonly accountId: string;
  readonly date: string;
  readonly asset: AssetId;
  readonly amount: string;
  readonly holdId: string;
}
type DailyAllowanceCommand =
  | ({ readonly kind: 'take'; readonly limit: DailyLimit } & AllowanceUse)
  /**
   * `isCounted`: the amount is returned, and the withdrawal still counts. `isAbandoned`: no withdrawal was or will be
   * created with the hold, so a request that is still running must not take a share for it either.
   */
  | ({ readonly kind: 'return'; readonly isCounted: boolean; readonly isAbandoned: boolean } & AllowanceUse);

/** The stream id for one account, day (YYYY-MM-DD in São Paulo) and asset. */
export const allowanceId = (accountId: string, date: string, asset: AssetId): string =>
  derivedId('daily-allowance', accountId, date, asset);

/** Refuses `limit-exceeded` if this withdrawal exceeds the day's limit. */
export function checkAllowance(
  { taken, sum }: DailyAllowance,
  asset: AssetId,
  amount: string,
  limit: DailyLimit,
): void {
  if (limit.count !== null && taken.size >= limit.count)
    refuse('limit-exceeded', `an account may make ${limit.count} withdrawals of ${asset} a day`, '');
  if (limit.amount === null) return;
  const max = Money.parse(asset, limit.amount);
  const left = Money.of(asset, max.minor - sum);
  if (Money.stored(asset, amount).minor <= left.minor) return;
  // Nothing is left if the limit was lowered below what had been taken.
  const shown = left.isNegative() ? Money.of(asset, 0n) : left;
  refuse(
    'limit-exceeded',
    `an account may withdraw ${max.toString()} of ${asset} a day, and ${shown.toString()} of it is left`,
    'amount',
  );
}

/**
 * Stream `dailyAllowance-<id>`: the velocity limit of an account. A rolled-back withdrawal gives its share back, but
 * still counts if its transaction was signed.
 */
export const dailyAllowance: Decider<DailyAllowanceCommand, DailyAllowance, DailyAllowanceEvent> = {
  category: 'dailyAllowance',
  initial: { taken: PersistentMap.empty(), sum: 0n, returned: PersistentMap.empty() },
  events: [AllowanceTaken, AllowanceReturned],
  decide(command, state) {
    const { accountId, date, asset, amount, holdId } = command;
    const facts = { accountId, date, asset, amount, holdId };
    switch (command.kind) {
      case 'take':
        if (state.taken.has(holdId)) return [];
        // Nothing would find the share if the process stopped now: the hold is no longer open.
        if (state.returned.has(holdId)) throw new HoldAbandoned(holdId);
        checkAllowance(state, asset, amount, command.limit);
        return [new AllowanceTaken(facts)];
      case 'return': {
        const taken = state.taken.get(holdId);
        if (taken === 0n || state.returned.has(holdId)) return [];
        if (taken === undefined && !command.isAbandoned) return [];
        return [new AllowanceReturned({ ...facts, ...(command.isCounted && { isCounted: true }) })];
      }
    }
  },
  evolve({ taken, sum, returned }, event) {
    const { holdId, asset, amount } = event.data;
    const others = sum - (taken.get(holdId) ?? 0n);
    switch (event.type) {
      case 'AllowanceTaken': {
        const { minor } = Money.stored(asset, amount);
        return { taken: taken.with(holdId, minor), sum: others + minor, returned };
      }
      case 'AllowanceReturned':
        return {
          taken: event.data.isCounted ? taken.with(holdId, 0n) : taken.without(holdId),
          sum: others,
          returned: returned.with(holdId, true),
        };
    }
  },
};
