import type { Aggregates } from '@ponte/event-sourcing';
import pino from 'pino';
import type { TransfersOfBlock } from '../token-deposits/deposit-transfers.port';
import { ChangedFinalBlock } from '../token-deposits/incoming-transfers.decider';
import { OpenBlocks } from './open-blocks';
import { IncomingBlocks } from './incoming-blocks';

const BLOCK: TransfersOfBlock = { number: 7, hash: '0xb', time: 0, transfers: [] };

describe('a final block that has other deposits than before', () => {
  it('is reported and no longer open, so that the scan goes on after it', async () => {
    const lines: string[] = [];
    const aggregates: Pick<Aggregates, 'handle'> = { handle: () => Promise.reject(new ChangedFinalBlock('changed')) };
    const open = new OpenBlocks({ page: async () => ({ items: [], next: null }) } as never, 'eth-base');
    open.add(BLOCK, true);
    const incoming = new IncomingBlocks(
      {
        served: { evm: { chain: 'eth-base' } } as never,
        addresses: { receivers: async () => new Map() },
        aggregates: aggregates as Aggregates,
        clock: { now: () => 0 },
        ids: { next: () => 'id' },
        logger: pino({}, { write: (line) => void lines.push(line) }),
      },
      open,
    );
    await incoming.recordDeposits(BLOCK, 'finalize');
    expect(open.all()).toEqual([]);
    expect(lines.join()).toContain('a final block has other deposits than before');
  });

  it('is not confused with a failure, which ends the round', async () => {
    const aggregates: Pick<Aggregates, 'handle'> = { handle: () => Promise.reject(new Error('the store is down')) };
    const open = new OpenBlocks({} as never, 'eth-base');
    const parts = { served: { evm: { chain: 'eth-base' } }, addresses: { receivers: async () => new Map() } };
    const incoming = new IncomingBlocks(
      { ...parts, aggregates, clock: { now: () => 0 }, ids: { next: () => 'id' } } as never,
      open,
    );
    await expect(incoming.recordDeposits(BLOCK, 'finalize')).rejects.toThrow('the store is down');
  });
});
