import type { TreasuryEvent, TreasuryReservation } from '@ponte/contracts';
import { TreasuryReservationsReleased, TreasuryTokensReserved } from '@ponte/contracts';
import type { Decider, SnapshotCodec } from '@ponte/event-sourcing';
import type { AssetId, Chain } from '@ponte/kernel';
import { unitsOf } from '@ponte/kernel';

/** The reservations of one token of the treasury wallet of one chain. */
export interface Treasury {
  /** Units of the token by the id of the transaction that pays them. */
  readonly reserved: ReadonlyMap<string, bigint>;
  /** How many times reservations were released. A balance that was read before a release is too high after it. */
  readonly releases: number;
}

interface OfToken {
  readonly chain: Chain;
  readonly asset: AssetId;
}

export type TreasuryCommand =
  | (OfToken & {
      /** Reserves what fits, in this order. */
      readonly kind: 'reserve';
      readonly requests: readonly TreasuryReservation[];
      /** Reservations whose payments are confirmed or will never be made, found before the balance was read. */
      readonly over: readonly string[];
      /** Reservations whose payments are in a block and not confirmed yet, found before the balance was read. */
      readonly spent: readonly string[];
      /** Balance of the treasury wallet, units. */
      readonly balance: bigint;
      /** {@link Treasury.releases} before the balance was read. With another number the command does nothing. */
      readonly releases: number;
    })
  /** Reserves payments that are sent again in any case, because a reorg removed them. */
  | (OfToken & { readonly kind: 'restore'; readonly payments: readonly TreasuryReservation[] });

/** The asset id, which starts with the chain, without its slash. */
export const treasuryId = (asset: AssetId): string => asset.replace('/', '_');

const snapshots: SnapshotCodec<Treasury> = {
  shape: 1,
  encode: ({ reserved, releases }) => ({
    head: { releases, reserved: [...reserved].map(([transactionId, units]) => [transactionId, String(units)]) },
    parts: [],
  }),
  decode: ({ head }) => {
    const { releases, reserved } = head as { releases: number; reserved: readonly (readonly [string, string])[] };
    return { releases, reserved: new Map(reserved.map(([transactionId, units]) => [transactionId, BigInt(units)])) };
  },
};

/**
 * Tokens are reserved once, whichever process asks. A payment that is in a block and not confirmed yet stays reserved,
 * but is not subtracted from the balance, which does not contain its tokens any more. If a reorg returns them, the
 * payment is not in a block any more, and is subtracted again.
 */
export const treasury: Decider<TreasuryCommand, Treasury, TreasuryEvent> = {
  category: 'treasury',
  initial: { reserved: new Map(), releases: 0 },
  events: [TreasuryTokensReserved, TreasuryReservationsReleased],
  snapshots,

  decide(command, state) {
    const { chain, asset } = command;
    if (command.kind === 'restore') {
      const reservations = command.payments.filter(({ transactionId }) => !state.reserved.has(transactionId));
      return reservations.length > 0 ? [new TreasuryTokensReserved({ chain, asset, reservations })] : [];
    }
    if (command.releases !== state.releases) return [];
    const over = command.over.filter((transactionId) => state.reserved.has(transactionId));
    const reservations = fitting(command, state, new Set(over));
    return [
      ...(over.length > 0 ? [new TreasuryReservationsReleased({ chain, asset, transactionIds: over })] : []),
      ...(reservations.length > 0 ? [new TreasuryTokensReserved({ chain, asset, reservations })] : []),
    ];
  },

  evolve({ reserved, releases }, event) {
    const next = new Map(reserved);
    if (event.type === 'TreasuryReservationsReleased') {
      for (const transactionId of event.data.transactionIds) next.delete(transactionId);
      return { reserved: next, releases: releases + 1 };
    }
    const { asset, reservations } = event.data;
    for (const { transactionId, amount } of reservations) next.set(transactionId, unitsOf(asset, amount));
    return { reserved: next, releases };
  },
};

function fitting(
  { asset, balance, requests, spent }: Extract<TreasuryCommand, { kind: 'reserve' }>,
  { reserved }: Treasury,
  over: ReadonlySet<string>,
): TreasuryReservation[] {
  const outside = new Set([...over, ...spent]);
  let left = balance;
  for (const [transactionId, units] of reserved) if (!outside.has(transactionId)) left -= units;
  return requests.filter(({ transactionId, amount }) => {
    const units = unitsOf(asset, amount);
    if (units > left || (reserved.has(transactionId) && !over.has(transactionId))) return false;
    left -= units;
    return true;
  });
}
