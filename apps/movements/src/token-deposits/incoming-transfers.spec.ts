import type { IncomingTransfersEvent } from '@ponte/contracts';
import { fold } from '@ponte/event-sourcing';
import type { IncomingTransfersCommand, NamelessTransfer } from './incoming-transfers.decider';
import {
  EVENTS_PER_DECISION,
  arrivalDepositId,
  ChangedFinalBlock,
  incomingTransfers,
  incomingTransfersId,
} from './incoming-transfers.decider';

const BLOCK = { chain: 'eth-base', blockNumber: '7', blockHash: '0xb' } as const;
const transfer = (logIndex: number): NamelessTransfer => ({
  accountId: 'a',
  parentId: null,
  walletId: 'w',
  asset: 'eth-base/usdc',
  amount: '1.000000',
  from: '0x1',
  to: '0x2',
  txHash: '0xa',
  logIndex,
});
const of = (kind: 'see' | 'finalize', ...logs: number[]): IncomingTransfersCommand => ({
  kind,
  block: BLOCK,
  minedAt: '2026-11-20T12:00:00.000Z',
  transfers: logs.map(transfer),
});
const id = (logIndex: number, sighting = 1) => arrivalDepositId('eth-base', '0xb', '0xa', logIndex, sighting);

/** Every event with its deposits. */
function after(...commands: IncomingTransfersCommand[]): [string, readonly string[]][] {
  let state = incomingTransfers.initial;
  return commands.flatMap((command) => {
    const events = incomingTransfers.decide(command, state) as IncomingTransfersEvent[];
    state = fold(incomingTransfers, state, events);
    return events.map((event): [string, readonly string[]] => [
      event.type.replace('IncomingTransfers', ''),
      event.type === 'IncomingTransfersSeen'
        ? event.data.transfers.map(({ depositId }) => depositId)
        : event.data.depositIds,
    ]);
  });
}

describe('the transfers of a block', () => {
  it('are seen, confirmed and finalized once, even when a command is repeated', () => {
    const [see, confirm, finalize] = [of('see', 0), { kind: 'confirm' } as const, of('finalize', 0)];
    expect(after(see, see, confirm, confirm, finalize, finalize, { kind: 'reorg' }, see)).toEqual([
      ['Seen', [id(0)]],
      ['Confirmed', [id(0)]],
      ['Finalized', [id(0)]],
    ]);
  });

  it('become different deposits when the block returns after a reorg', () => {
    expect(after(of('see', 0), { kind: 'reorg' }, { kind: 'reorg' }, of('finalize', 0))).toEqual([
      ['Seen', [id(0)]],
      ['Reorged', [id(0)]],
      ['Seen', [id(0, 2)]],
      ['Finalized', [id(0, 2)]],
    ]);
  });

  it('are completed by a later read, even after the block is final, and lose what the final read lacks', () => {
    expect(after(of('see', 0, 1), of('finalize', 1), of('finalize', 1, 2))).toEqual([
      ['Seen', [id(0), id(1)]],
      ['Reorged', [id(0)]],
      ['Finalized', [id(1)]],
      ['Seen', [id(2)]],
      ['Finalized', [id(2)]],
    ]);
  });

  it('include one more deposit when a log returns that a node had left out of the final read', () => {
    const whole = of('finalize', 0, 1);
    expect(after(of('see', 0, 1), of('finalize', 1), whole, whole)).toEqual([
      ['Seen', [id(0), id(1)]],
      ['Reorged', [id(0)]],
      ['Finalized', [id(1)]],
      ['Seen', [id(0, 2)]],
      ['Finalized', [id(0, 2)]],
    ]);
  });

  it('keep their deposits while as many are open as are final', () => {
    const more = of('see', 0, 1);
    expect(after(of('finalize', 0), more, more, of('finalize', 0, 1))).toEqual([
      ['Seen', [id(0)]],
      ['Finalized', [id(0)]],
      ['Seen', [id(1)]],
      ['Finalized', [id(1)]],
    ]);
  });

  it('keep their ids in all later versions, because a block that is read again must credit nothing', () => {
    expect(id(0)).toBe('e4d1ef8f-2df0-8d31-b28b-b0ca631ba8a2');
    expect(incomingTransfersId(BLOCK)).toBe('eth-base_0xb');
  });

  it('are confirmed and reorged with the block in which they were seen', () => {
    for (const kind of ['confirm', 'reorg'] as const) {
      const [seen] = incomingTransfers.decide(of('see', 0), incomingTransfers.initial);
      if (!seen) throw new Error('nothing was seen');
      const state = incomingTransfers.evolve(incomingTransfers.initial, seen);
      expect(incomingTransfers.decide({ kind }, state)).toMatchObject([{ data: { ...BLOCK, depositIds: [id(0)] } }]);
      expect(incomingTransfers.decide({ kind }, incomingTransfers.initial)).toEqual([]);
    }
  });

  it('are not recorded again when a node numbers the logs of a final block in another way', () => {
    for (const kind of ['see', 'finalize'] as const)
      expect(() => after(of('finalize', 0, 1), of(kind, 5, 6))).toThrow(ChangedFinalBlock);
  });

  it('are recorded again only together with all that are final', () => {
    expect(() => after(of('finalize', 0), of('finalize', 1))).toThrow(ChangedFinalBlock);
    expect(after(of('finalize', 0), of('finalize'), of('finalize', 0, 1))).toEqual([
      ['Seen', [id(0)]],
      ['Finalized', [id(0)]],
      ['Seen', [id(1)]],
      ['Finalized', [id(1)]],
    ]);
  });

  it('are recorded with at most 100 per event', () => {
    const many = Array.from({ length: 250 }, (_, at) => at);
    expect(after(of('finalize', ...many)).map(([type, ids]) => [type, ids.length])).toEqual(
      ['Seen', 'Finalized'].flatMap((type) => [100, 100, 50].map((count) => [type, count])),
    );
  });
});

describe('a block with thousands of transfers', () => {
  const logs = Array.from({ length: 2_500 }, (_, at) => at);
  /** EventStoreDB's limit for an append. */
  const MAX_BYTES = 1_048_576;

  /** Repeats each command as the scanner does. Returns how many deposits there are of each event. */
  function recorded(...commands: IncomingTransfersCommand[]): Record<string, number> {
    let state = incomingTransfers.initial;
    const counts: Record<string, number> = {};
    for (const command of commands)
      for (let isPart = true; isPart;) {
        const events = incomingTransfers.decide(command, state) as IncomingTransfersEvent[];
        expect(Buffer.byteLength(JSON.stringify(events))).toBeLessThan(MAX_BYTES / 2);
        for (const { type, data } of events)
          counts[type] = (counts[type] ?? 0) + ('transfers' in data ? data.transfers : data.depositIds).length;
        state = fold(incomingTransfers, state, events);
        isPart = events.length === EVENTS_PER_DECISION;
      }
    return counts;
  }

  it('is recorded in several appends, each transfer once', () => {
    const see = of('see', ...logs);
    const finalize = of('finalize', ...logs);
    expect(recorded(see, see, { kind: 'confirm' }, { kind: 'confirm' }, finalize, finalize)).toEqual({
      IncomingTransfersSeen: 2_500,
      IncomingTransfersConfirmed: 2_500,
      IncomingTransfersFinalized: 2_500,
    });
    expect(recorded(finalize)).toEqual({ IncomingTransfersSeen: 2_500, IncomingTransfersFinalized: 2_500 });
    expect(recorded(see, { kind: 'reorg' })).toEqual({ IncomingTransfersSeen: 2_500, IncomingTransfersReorged: 2_500 });
  });

  it('is completed by a read after a crash between two appends', () => {
    const see = of('see', ...logs);
    const first = fold(
      incomingTransfers,
      incomingTransfers.initial,
      incomingTransfers.decide(see, incomingTransfers.initial),
    );
    expect(first.open).toHaveLength(1_000);
    const rest = incomingTransfers.decide(of('finalize', ...logs), first) as IncomingTransfersEvent[];
    expect(rest.map(({ type }) => type)).toEqual(Array.from({ length: 10 }, () => 'IncomingTransfersSeen'));
  });
});
