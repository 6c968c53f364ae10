import { TransactionSigned } from '@ponte/contracts';
import { openSqliteReadModels } from '@ponte/eventstore-sqlite';
import type { Recorded } from '@ponte/event-sourcing';
import { MemoryEventStore } from '@ponte/testing';
import type { Kysely } from 'kysely';
import type { Hex } from './chain/chain.port';
import { SigningKeys } from './signer-key/signing-keys.read-model';
import { MOVEMENTS_REBUILDABLE } from './movements.read-models';

const [FIRST, SECOND]: [Hex, Hex] = ['0xa', '0xb'];
let db: Kysely<unknown>;
beforeEach(() => {
  db = openSqliteReadModels<unknown>(':memory:');
});
afterEach(() => db.destroy());

const signedBy = (...froms: Hex[]): Recorded[] =>
  froms.map((from, revision) => {
    const { type, data } = new TransactionSigned({
      transactionId: `t${revision}`,
      chain: 'eth-base',
      from,
      nonce: revision,
      raw: '0x',
      txHash: '0x',
      maxFeePerGas: '1',
      maxPriorityFeePerGas: '1',
    });
    const meta = { commandId: 'c', index: 0, count: 1, occurredAt: '2026-01-01T00:00:00.000Z', correlationId: 'c' };
    return {
      id: `${revision}`,
      stream: `chainTransaction-t${revision}`,
      revision: 1,
      position: `${revision}`,
      type,
      version: 1,
      data,
      meta,
    };
  });

const follow = async (events: readonly Recorded[]): Promise<void> =>
  (await SigningKeys.part.open(db, new MemoryEventStore()).fold(events))(db);

describe('the keys that have signed', () => {
  it('are reported only once all are known, and then also by later processes', async () => {
    const keys = new SigningKeys(db);
    await keys.onModuleInit();
    await follow(signedBy(SECOND, SECOND));
    await expect(keys.of('eth-base')).resolves.toBeUndefined();
    await keys.complete('eth-base', [FIRST, SECOND]);
    const after = new SigningKeys(db);
    await after.onModuleInit();
    await follow(signedBy(SECOND));
    await after.complete('eth-base', [FIRST]);
    await expect(after.of('eth-base')).resolves.toEqual(new Set([FIRST, SECOND]));
    await expect(after.of('tempo')).resolves.toBeUndefined();
  });

  it('are all known after a rebuild of the read model', async () => {
    const readModel = MOVEMENTS_REBUILDABLE.find(({ tables }) => tables.includes('signing_keys'));
    const filling = await readModel?.open(db, new MemoryEventStore());
    await filling?.apply({ events: signedBy(FIRST, SECOND), position: '2', caughtUp: true });
    await filling?.settle?.();
    const keys = new SigningKeys(db);
    await expect(keys.of('eth-base')).resolves.toEqual(new Set([FIRST, SECOND]));
    await expect(keys.of('tempo')).resolves.toEqual(new Set());
  });
});
