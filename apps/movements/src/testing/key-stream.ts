import { NoncesAllocated } from '@ponte/contracts';
import { eventId } from '@ponte/event-sourcing';
import { CHAINS } from '@ponte/kernel';
import { MemoryLog } from '@ponte/testing';
import { signerKeyId } from '../signer-key/signer-key.decider';

export const chain = CHAINS[1];
export const address = `0x${'a'.repeat(40)}` as const;
export const STREAM = `signerKey-${signerKeyId(chain, address)}`;

/** A log with the stream of the key. Each allocation is the first nonce and how many there are: `t7` gets nonce 7. */
export function logOfKey(allocations: readonly (readonly [first: number, count: number])[]): MemoryLog {
  const log = new MemoryLog();
  allocations.forEach(([first, count], at) => {
    const transactionIds = Array.from({ length: count }, (_, n) => `t${first + n}`);
    const { type, data } = new NoncesAllocated({ chain, address, first, transactionIds });
    const occurredAt = '2026-01-01T00:00:00.000Z';
    const meta = { commandId: `c${at}`, index: 0, count: 1, occurredAt, correlationId: 'c' };
    log.append(STREAM, at - 1, [{ id: eventId(meta.commandId, 0), type, version: 1, data, meta }]);
  });
  return log;
}
