import { NoncesAllocated, TransactionReverted, TransactionSigned, TransactionSuperseded } from '@ponte/contracts';
import type { DomainEvent, EventStore, EventToAppend, ReadOptions } from '@ponte/event-sourcing';
import { eventId } from '@ponte/event-sourcing';
import { MemoryLog, MemoryEventStore } from '@ponte/testing';
import { signerKeyId } from '../signer-key/signer-key.decider';
import type { Hex } from '../chain/chain.port';
import { signedIn } from './resend-lost';
import { unminedIn } from './unmined-log';

const chain = 'eth-base' as const;
const [OPERATOR, EARLIER]: [Hex, Hex] = [`0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`];
const END = {
  transactionId: '',
  chain,
  purpose: { kind: 'mint', id: 'm', orderId: 'o', accountId: 'a' },
  txHash: '0x',
} as const;

/** An event log of keys and their transactions, written without any decider. */
function given() {
  const log = new MemoryLog();
  const store = new MemoryEventStore({ log });
  const heads = new Map<string, number>();
  let reads = 0;
  const counted: Pick<EventStore, 'read' | 'comparePositions'> = {
    read: (stream: string, options?: ReadOptions) => {
      reads += 1;
      return store.read(stream, options);
    },
    comparePositions: (a, b) => store.comparePositions(a, b),
  };
  const append = (stream: string, ...events: DomainEvent[]): void => {
    const written = events.map(({ type, data }): EventToAppend => {
      const commandId = String(log.length);
      return {
        id: eventId(commandId, 0),
        type,
        version: 1,
        data,
        meta: { commandId, index: 0, count: 1, occurredAt: '2026-01-01T00:00:00.000Z', correlationId: commandId },
      };
    });
    heads.set(stream, log.append(stream, heads.get(stream) ?? -1, written).revision);
  };
  const id = (nonce: number, from: Hex): string => `${from.slice(0, 4)}-${nonce}`;
  const bytes = (nonce: number, from: Hex) => ({ from, nonce, raw: `${from}${nonce}`, txHash: `${from}f${nonce}` });
  return {
    log,
    append,
    id,
    reads: () => reads,
    allocate(first: number, count: number, from = OPERATOR) {
      append(
        `signerKey-${signerKeyId(chain, from)}`,
        new NoncesAllocated({
          chain,
          address: from,
          first,
          transactionIds: Array.from({ length: count }, (_, at) => id(first + at, from)),
        }),
      );
    },
    sign(nonce: number, from = OPERATOR, on: 'eth-base' | 'tempo' = chain) {
      append(
        `chainTransaction-${id(nonce, from)}`,
        new TransactionSigned({
          transactionId: id(nonce, from),
          chain: on,
          ...bytes(nonce, from),
          maxFeePerGas: '1',
          maxPriorityFeePerGas: '1',
        }),
      );
    },
    async unmined(mined: Readonly<Record<Hex, number>>) {
      const evm = { chain, nextNonce: async (sender: Hex) => mined[sender] ?? 0 };
      const found = [];
      for await (const { from, nonce, raw, hash } of unminedIn({
        store: counted,
        evm,
        senders: new Set(Object.keys(mined) as Hex[]),
      })) {
        expect({ raw, hash }).toEqual({ raw: `${from}${nonce}`, hash: `${from}f${nonce}` });
        found.push(from === OPERATOR ? nonce : `earlier ${nonce}`);
      }
      return found;
    },
    async all() {
      const found = [];
      for await (const { nonce } of signedIn(store, chain, new AbortController().signal)) found.push(nonce);
      return found;
    },
  };
}

describe('the unmined transactions of a chain', () => {
  it.each([1, 64])('are found with few reads, even among thousands (%i per allocation)', async (batch) => {
    const movements = given();
    const [SOME, MANY] = [256, 4_096];
    const counts = [];
    for (let nonce = 0; nonce < MANY; nonce += 1) {
      if (nonce % batch === 0) movements.allocate(nonce, batch);
      movements.sign(nonce);
      if (nonce + 1 !== SOME && nonce + 1 !== MANY) continue;
      const before = movements.reads();
      await expect(movements.unmined({ [OPERATOR]: nonce - 1 })).resolves.toEqual([nonce - 1, nonce]);
      counts.push(movements.reads() - before);
    }
    // A binary search, the events themselves, and the read at the end.
    const [few = 0, many = 0] = counts;
    expect(many - few).toBeLessThanOrEqual(Math.log2(MANY / SOME) + 1);
    expect(many).toBeLessThanOrEqual(Math.log2(MANY) + 4);
  });

  it('start in the middle of an allocation, come in nonce order whatever was signed first, and include nothing mined', async () => {
    const movements = given();
    for (const [first, count] of [
      [0, 4],
      [4, 6],
      [10, 40],
      [50, 1],
    ] as const)
      movements.allocate(first, count);
    for (let nonce = 50; nonce >= 0; nonce -= 1) movements.sign(nonce);
    for (let mined = 0; mined <= 52; mined += 1) {
      await expect(movements.unmined({ [OPERATOR]: mined })).resolves.toEqual(
        Array.from({ length: Math.max(0, 51 - mined) }, (_, at) => mined + at),
      );
    }
  });

  it('are all transactions when everything is lost, page after page', async () => {
    const movements = given();
    for (let nonce = 0; nonce < 200; nonce += 1) {
      movements.allocate(nonce, 1);
      movements.sign(nonce);
    }
    await expect(movements.unmined({ [OPERATOR]: 0 })).resolves.toEqual(await movements.all());
  });

  it('include reverted and superseded ones, and skip unsigned ones, skipped nonces and keys that never signed', async () => {
    const movements = given();
    movements.allocate(7, 4);
    for (const nonce of [7, 8, 10]) movements.sign(nonce);
    movements.append(
      `chainTransaction-${movements.id(7, OPERATOR)}`,
      new TransactionReverted({ ...END, reason: 'reverted' }),
    );
    movements.append(`chainTransaction-${movements.id(8, OPERATOR)}`, new TransactionSuperseded({ ...END, nonce: 8 }));
    movements.allocate(1_000, 1);
    movements.sign(1_000);
    for (const mined of [0, 7])
      await expect(movements.unmined({ [OPERATOR]: mined, [EARLIER]: 3 })).resolves.toEqual([7, 8, 10, 1_000]);
    await expect(movements.unmined({ [OPERATOR]: 11 })).resolves.toEqual([1_000]);
    await expect(movements.unmined({ [OPERATOR]: 5_000 })).resolves.toEqual([]);
    await expect(given().unmined({ [OPERATOR]: 0 })).resolves.toEqual([]);
  });

  it('of several keys come in the order of the log, and in nonce order for each key', async () => {
    const movements = given();
    for (const from of [EARLIER, OPERATOR]) movements.allocate(0, 4, from);
    for (const [nonce, from] of [
      [1, EARLIER],
      [0, EARLIER],
      [0, OPERATOR],
      [2, EARLIER],
      [1, OPERATOR],
      [2, OPERATOR],
      [3, EARLIER],
    ] as const)
      movements.sign(nonce, from);
    await expect(movements.unmined({ [OPERATOR]: 0, [EARLIER]: 0 })).resolves.toEqual([
      'earlier 0',
      'earlier 1',
      0,
      'earlier 2',
      1,
      2,
      'earlier 3',
    ]);
    await expect(movements.unmined({ [OPERATOR]: 2, [EARLIER]: 3 })).resolves.toEqual([2, 'earlier 3']);
  });
});
