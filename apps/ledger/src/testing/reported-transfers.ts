import type { IncomingTransfer, IncomingTransfersEvent } from '@ponte/contracts';
import {
  GetBalance,
  IncomingTransfersConfirmed,
  IncomingTransfersFinalized,
  IncomingTransfersReorged,
  IncomingTransfersSeen,
  ListDeposits,
} from '@ponte/contracts';
import { eventId } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import type { MemoryEventStore } from '@ponte/testing';
import type { LedgerUnderTest } from './ledger-under-test';
import { ACCOUNT } from './ledger-under-test';

export const MINED_AT = '2026-11-20T12:00:00.000Z';
export const BLOCK = { chain: 'eth-base' as const, blockNumber: '7', blockHash: '0xb' };
export const FIRST_PAGE = { limit: 50, cursor: null, createdFrom: null, createdTo: null };
export const USDC_DEPOSITS = {
  assets: ['eth-base/usdc' as const],
  status: null,
  type: null,
  endToEndId: null,
  txHash: null,
};

export const depositIdOf = (name: string): string => derivedId('deposit', name);

/** A transfer of USDC from outside to the account, by the name of its deposit. */
export const incoming = (name: string, amount = '5.000000'): IncomingTransfer => ({
  depositId: depositIdOf(name),
  accountId: ACCOUNT,
  parentId: null,
  walletId: 'w',
  asset: 'eth-base/usdc',
  amount,
  from: '0x1',
  to: '0x2',
  txHash: `0x${name}`,
  logIndex: 0,
});

const ids = (names: readonly string[]) => ({ ...BLOCK, depositIds: names.map(depositIdOf) });
export const seen = (...names: string[]) =>
  new IncomingTransfersSeen({
    ...BLOCK,
    minedAt: MINED_AT,
    sighting: 1,
    transfers: names.map((name) => incoming(name)),
  });
export const confirmed = (...names: string[]) => new IncomingTransfersConfirmed(ids(names));
export const final = (...names: string[]) => new IncomingTransfersFinalized(ids(names));
export const reorged = (...names: string[]) => new IncomingTransfersReorged(ids(names));

/** What the movements service reports about blocks of one chain, and what the ledger makes of it. */
export class ReportedTransfers {
  /** The revision of the stream of each block. */
  readonly revisions = new Map<string, number>();

  constructor(private readonly ledger: LedgerUnderTest<MemoryEventStore>) {}

  /** Appends an event about a block, as the movements service does. */
  async report(event: IncomingTransfersEvent, block = 'one'): Promise<void> {
    const stream = `incomingTransfers-eth-base_${block}`;
    const revision = this.revisions.get(block) ?? -1;
    this.revisions.set(block, revision + 1);
    const commandId = derivedId(stream, String(revision));
    const meta = { commandId, index: 0, count: 1, occurredAt: MINED_AT, correlationId: commandId };
    await this.ledger.store.append(stream, revision, [
      { id: eventId(commandId, 0), type: event.type, version: 1, data: event.data, meta },
    ]);
  }

  async deposits() {
    return (await this.ledger.ask(ListDeposits, { accountId: ACCOUNT, filters: USDC_DEPOSITS, page: FIRST_PAGE }))
      .items;
  }

  /** The status of each deposit, by its id. */
  async statuses() {
    return Object.fromEntries((await this.deposits()).map(({ id, status }) => [id, status]));
  }

  /** The running balance of the account in USDC. */
  async running() {
    return (await this.ledger.ask(GetBalance, { accountId: ACCOUNT, assets: ['eth-base/usdc'] })).running;
  }
}
