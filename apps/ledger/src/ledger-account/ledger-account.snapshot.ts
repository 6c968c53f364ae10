import type { SnapshotCodec } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import { PersistentMap } from '@ponte/kernel';
import type { Balance, LedgerAccount, OpenHold } from './ledger-account.state';
import type { EncodedIds } from '../recent-ids/recent-ids.domain';
import { RecentIds } from '../recent-ids/recent-ids.domain';

/** The JSON head of a snapshot; the packed ids are its binary parts. */
interface Head {
  /** Minor units as decimal strings. */
  readonly balances: readonly (readonly [asset: AssetId, running: string, held: string])[];
  readonly holds: readonly OpenHold[];
  readonly taken: EncodedIds;
}

/**
 * Snapshots of an account's books. `decide` accepts each posting id and hold id only once, so repeating a command that
 * is older than the commands of a snapshot changes nothing.
 */
export const ledgerAccountSnapshots: SnapshotCodec<LedgerAccount> = {
  shape: 4,
  encode({ balances, holds, taken }) {
    const { head, parts } = taken.encode();
    const entries = Object.entries(balances) as [AssetId, Balance][];
    return {
      head: {
        balances: entries.map(([asset, { running, held }]) => [asset, String(running), String(held)] as const),
        holds: holds.all().map(([, hold]) => hold),
        taken: head,
      } satisfies Head,
      parts,
    };
  },
  decode({ head, parts }) {
    const { balances, holds, taken } = head as Head;
    const balanceOf = ([asset, running, held]: Head['balances'][number]) =>
      [asset, { running: BigInt(running), held: BigInt(held) }] as const;
    return {
      balances: Object.fromEntries(balances.map(balanceOf)),
      holds: PersistentMap.of(holds.map((hold) => [hold.holdId, hold] as const)),
      taken: RecentIds.decode(taken, parts),
    };
  },
};
