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
  /** Open deposits whose block is not deep enough yet. */
  readonly unconfirmed: readonly string[];
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
const TRANSFERS_PER_EVENT = 100;
/**
 * Maximum events per decision: EventStoreDB accepts appends of up to 1 MiB, and 100 transfers take about 45 kB. A
 * command that decides so many may not be done, and is repeated until it decides fewer.
 */
export const EVENTS_PER_DECISION = 10;

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

const without = (ids: readonly string[], left: ReadonlySet<string>): string[] => ids.filter((id) => !left.has(id));

/** Stream `incomingTransfers-<chain>_<block hash>`. Every command may be repeated: see {@link EVENTS_PER_DECISION}. */
export const incomingTransfers: Decider<IncomingTransfersCommand, IncomingTransfers, IncomingTransfersEvent> = {
  category: 'incomingTransfers',
  initial: { block: null, minedAt: '', sighting: 0, open: [], final: [], gone: [], unconfirmed: [], confirmed: false },
  events: [IncomingTransfersSeen, IncomingTransfersConfirmed, IncomingTransfersFinalized, IncomingTransfersReorged],
  decide: (command, state) => eventsOf(command, state).slice(0, EVENTS_PER_DECISION),
  evolve(state, event) {
    switch (event.type) {
      case 'IncomingTransfersSeen': {
        const { chain, blockNumber, blockHash, minedAt, sighting, transfers } = event.data;
        const ids = transfers.map(({ depositId }) => depositId);
        return {
          ...state,
          ...{ block: { chain, blockNumber, blockHash }, minedAt, sighting, open: [...state.open, ...ids] },
          ...{ unconfirmed: [...state.unconfirmed, ...ids], confirmed: false },
        };
      }
      case 'IncomingTransfersConfirmed': {
        const unconfirmed = without(state.unconfirmed, new Set(event.data.depositIds));
        return { ...state, unconfirmed, confirmed: unconfirmed.length === 0 };
      }
      case 'IncomingTransfersFinalized': {
        const ids = new Set(event.data.depositIds);
        return { ...closed(state, ids), final: [...state.final, ...ids] };
      }
      case 'IncomingTransfersReorged': {
        const ids = new Set(event.data.depositIds);
        return { ...closed(state, ids), gone: [...state.gone, ...ids] };
      }
    }
  },
};

/** The state when these deposits are not open any more. */
const closed = (state: IncomingTransfers, ids: ReadonlySet<string>): IncomingTransfers => ({
  ...state,
  open: without(state.open, ids),
  unconfirmed: without(state.unconfirmed, ids),
});

/** All events that are still to be recorded for the command. The first of them are valid without the others. */
function eventsOf(command: IncomingTransfersCommand, state: IncomingTransfers): IncomingTransfersEvent[] {
  const { block, open, unconfirmed } = state;
  switch (command.kind) {
    case 'see':
      return seen(command, state).events;
    case 'finalize': {
      const { events, ids } = seen(command, state);
      // A log that only the first read had was never in the block.
      const gone = without(open, ids);
      const now = without([...ids], new Set(state.final));
      return [
        ...events,
        ...parts(gone, (depositIds) => new IncomingTransfersReorged({ ...command.block, depositIds })),
        ...parts(now, (depositIds) => new IncomingTransfersFinalized({ ...command.block, depositIds })),
      ];
    }
    case 'confirm':
      return block === null
        ? []
        : parts(unconfirmed, (depositIds) => new IncomingTransfersConfirmed({ ...block, depositIds }));
    case 'reorg':
      return block === null ? [] : parts(open, (depositIds) => new IncomingTransfersReorged({ ...block, depositIds }));
  }
}

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
  return Array.from({ length: Math.ceil(items.length / TRANSFERS_PER_EVENT) }, (_, at) =>
    make(items.slice(at * TRANSFERS_PER_EVENT, (at + 1) * TRANSFERS_PER_EVENT)),
  );
}
