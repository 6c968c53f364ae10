import type { IncomingBlock, IncomingTransfer, IncomingTransfersEvent } from '@ponte/contracts';
import {
  IncomingTransfersConfirmed,
  IncomingTransfersFinalized,
  IncomingTransfersReorged,
  IncomingTransfersSeen,
} from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import type { Chain } from '@ponte/kernel';
import { derivedId } from '@ponte/kernel';

/** A transfer without its deposit id, which depends on the sighting of its block. */
export type NamelessTransfer = Omit<IncomingTransfer, 'depositId'>;

/** Transfers to wallets of accounts in one block. */
export interface IncomingTransfers {
  readonly block: IncomingBlock | null;
  readonly minedAt: string;
  /** How many times the block was seen. It is seen again when a reorg is undone. */
  readonly sighting: number;
  /** Deposits that may still vanish. */
  readonly open: readonly string[];
  readonly final: readonly string[];
  /** Deposits that vanished. They stay void, so a log that returns makes another deposit. */
  readonly gone: readonly string[];
  readonly confirmed: boolean;
}

export type IncomingTransfersCommand =
  | {
      readonly kind: 'see' | 'finalize';
      readonly block: IncomingBlock;
      readonly minedAt: string;
      readonly transfers: readonly NamelessTransfer[];
    }
  | { readonly kind: 'confirm' | 'reorg' };

/**
 * Maximum transfers per event: brokers accept messages of up to 1 MiB, and a consumer repeats a whole event after a
 * failure.
 */
const AN_EVENT = 100;

/** The stream of a block. A block that replaces it at the same height has another stream. */
export const incomingTransfersId = ({ chain, blockHash }: Pick<IncomingBlock, 'chain' | 'blockHash'>): string =>
  `${chain}_${blockHash}`;

/**
 * The same log of the same block is always the same deposit. It becomes another deposit only when the block left the
 * chain and returned, or when a node had left the log out of a final read.
 */
export const arrivalDepositId = (
  chain: Chain,
  blockHash: string,
  txHash: string,
  logIndex: number,
  sighting: number,
): string => derivedId('deposit', 'arrival', chain, blockHash, txHash, String(logIndex), String(sighting));

/**
 * A read of a final block lacks deposits that were final, and has others. The nodes number the logs in a different way
 * from before, or return only some of them: recording the others could credit a transfer a second time.
 */
export class ChangedFinalBlock extends Error {}

/** Stream `incomingTransfers-<chain>_<block hash>`. Every command may be repeated. */
export const incomingTransfers: Decider<IncomingTransfersCommand, IncomingTransfers, IncomingTransfersEvent> = {
  category: 'incomingTransfers',
  initial: { block: null, minedAt: '', sighting: 0, open: [], final: [], gone: [], confirmed: false },
  events: [IncomingTransfersSeen, IncomingTransfersConfirmed, IncomingTransfersFinalized, IncomingTransfersReorged],
  decide(command, state) {
    switch (command.kind) {
      case 'see':
        return seen(command, state).events;
      case 'finalize': {
        const { events, ids } = seen(command, state);
        // A log that only the first read had was never in the block.
        const gone = state.open.filter((id) => !ids.has(id));
        const before = new Set(state.final);
        const now = [...ids].filter((id) => !before.has(id));
        return [
          ...events,
          ...parts(gone, (depositIds) => new IncomingTransfersReorged({ ...command.block, depositIds })),
          ...parts(now, (depositIds) => new IncomingTransfersFinalized({ ...command.block, depositIds })),
        ];
      }
      case 'confirm': {
        const { block, open, confirmed } = state;
        return block === null || confirmed
          ? []
          : parts(open, (depositIds) => new IncomingTransfersConfirmed({ ...block, depositIds }));
      }
      case 'reorg': {
        const { block, open } = state;
        return block === null
          ? []
          : parts(open, (depositIds) => new IncomingTransfersReorged({ ...block, depositIds }));
      }
    }
  },
  evolve(state, event) {
    switch (event.type) {
      case 'IncomingTransfersSeen': {
        const { chain, blockNumber, blockHash, minedAt, sighting, transfers } = event.data;
        const open = [...state.open, ...transfers.map(({ depositId }) => depositId)];
        return { ...state, block: { chain, blockNumber, blockHash }, minedAt, sighting, open, confirmed: false };
      }
      case 'IncomingTransfersConfirmed':
        return { ...state, confirmed: true };
      case 'IncomingTransfersFinalized': {
        const ids = new Set(event.data.depositIds);
        return { ...state, open: state.open.filter((id) => !ids.has(id)), final: [...state.final, ...ids] };
      }
      case 'IncomingTransfersReorged': {
        const ids = new Set(event.data.depositIds);
        return { ...state, open: state.open.filter((id) => !ids.has(id)), gone: [...state.gone, ...ids] };
      }
    }
  },
};

/**
 * The events for new transfers of the block. `ids` are the deposit ids of all its transfers. Throws
 * {@link ChangedFinalBlock}.
 */
function seen(
  { block, minedAt, transfers }: Extract<IncomingTransfersCommand, { kind: 'see' | 'finalize' }>,
  { sighting: before, open, final, gone }: IncomingTransfers,
) {
  const sighting = open.length + final.length === 0 ? before + 1 : before;
  const vanished = new Set(gone);
  // A node may leave out some logs of a block and return them later.
  const idOf = (log: NamelessTransfer, at = sighting): string => {
    const id = arrivalDepositId(block.chain, block.blockHash, log.txHash, log.logIndex, at);
    return vanished.has(id) ? idOf(log, at + 1) : id;
  };
  const named = transfers.map((one): IncomingTransfer => ({ ...one, depositId: idOf(one) }));
  const known = new Set([...open, ...final]);
  const ids = new Set(named.map(({ depositId }) => depositId));
  const fresh = named.filter(({ depositId }) => !known.has(depositId));
  if (fresh.length > 0 && final.some((id) => !ids.has(id)))
    throw new ChangedFinalBlock(`block ${block.blockNumber} lacks deposits that were final, and has others`);
  const events: IncomingTransfersEvent[] = parts(
    fresh,
    (some) => new IncomingTransfersSeen({ ...block, minedAt, sighting, transfers: some }),
  );
  return { events, ids };
}

function parts<T, E>(items: readonly T[], make: (some: readonly T[]) => E): E[] {
  return Array.from({ length: Math.ceil(items.length / AN_EVENT) }, (_, at) =>
    make(items.slice(at * AN_EVENT, (at + 1) * AN_EVENT)),
  );
}
