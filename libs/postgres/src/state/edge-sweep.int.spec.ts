import { describeOnRealEngine } from '@ponte/testing';
import { cleanUp, connect, NOW, postgresUnderTest, schemaOf } from '../postgres-under-test.testing';
import { openPostgresEdgeState, SWEPT_AT_ONCE } from './edge-state';

describeOnRealEngine('PostgreSQL, expired state of the gateway', () => {
  postgresUnderTest('PostgreSQL sweeps');
  afterEach(cleanUp);

  test('is swept in batches, by two replicas at once, and nothing else is', async () => {
    const schema = schemaOf();
    const [one, other] = [await connect(schema), await connect(schema)];
    const replicas = [await openPostgresEdgeState(one), await openPostgresEdgeState(other)];
    const expired = 2 * SWEPT_AT_ONCE + 7;
    await one.query(
      `INSERT INTO idempotency (scope, body_hash, fence, until_ms, taker)
       SELECT 's' || i, 'h', 1, $1::bigint - i % 3, 't' FROM generate_series(1, ${expired}) i`,
      [NOW - 1],
    );
    await one.query(
      `INSERT INTO nonces (key_id, nonce, until_ms, taker)
       SELECT 'k', 'n' || i, $1::bigint - i % 3, 't' FROM generate_series(1, ${expired}) i`,
      [NOW - 1],
    );
    await one.query(
      `INSERT INTO idempotency (scope, body_hash, fence, until_ms, taker) VALUES ('kept', 'h', 1, $1, 't')`,
      [NOW],
    );
    await Promise.all(replicas.map((edge) => edge.sweep(NOW)));
    await replicas[0]?.sweep(NOW);
    expect(await one.query('SELECT scope FROM idempotency')).toEqual([{ scope: 'kept' }]);
    expect(await one.query('SELECT nonce FROM nonces')).toEqual([]);
    for (const edge of replicas) await edge.close();
  });
});
