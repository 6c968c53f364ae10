import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { processesOf } from '../../chaos/testing/kills';
import { Client } from '../testing/client';
import { Customer } from '../testing/customer';
import type { Order } from '../testing/customer';
import { itClustered, itEmbedded, Program, SIMULATED, SUITE_MS } from '../testing/program';
import { until } from '../testing/waiting';

jest.setTimeout(SUITE_MS);

const DEATH_MS = 60_000;
/** While a key is locked, which may take 30 s, its requests get 409. So a key was free at once if there was no 409. */
const LOCKED = 409;
/** The suspended services have to reconnect, and a killed gateway starts again. */
const PATIENCE_MS = 90_000;
const IN_HAND_MS = 1_500;
const CUT_MS = 500;

let program: Program;
beforeAll(async () => {
  program = await Program.build();
});
afterAll(() => program.close());

describe('a retry under the same idempotency key', () => {
  itEmbedded('after a kill between decision and response gets the decided result at once', async () => {
    const folder = program.dataFolder();
    const doomed = await program.start(folder, { ...SIMULATED, PONTE_FAILPOINT: 'after:OrderPlaced' });
    const before = Customer.of(doomed.sandbox);
    await before.fund('100.00');
    const quoteId = await before.quote('40.00');
    const key = randomUUID();
    await expect(before.accept(quoteId, { key })).rejects.toThrow();
    await before.api.close();
    expect((await doomed.ended(DEATH_MS)).signal).toBe('SIGKILL');

    const running = await program.start(folder, SIMULATED);
    const customer = Customer.of(running.sandbox);
    const answer = await customer.accept(quoteId, { key });
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('"order"')]);
    const again = await customer.accept(quoteId, { key });
    expect([again.text, again.headers['idempotency-replayed']]).toEqual([answer.text, 'true']);
    expect((await customer.api.get<{ orders: Order[] }>(customer.path('/orders'))).orders.map(({ id }) => id)).toEqual([
      answer.body.order.id,
    ]);
    await customer.api.close();
    await running.stop();
  });

  itClustered('after a kill of its gateway is answered by another gateway at once', async () => {
    const running = await program.start(program.dataFolder(), { ...SIMULATED, PONTE_REPLICAS: '2' });
    const { sandbox } = running;
    const customer = Customer.of(sandbox);
    await customer.fund('100.00');
    const quoteId = await customer.quote('40.00');
    const key = randomUUID();
    // The gateway has claimed the key and waits for the suspended orders service.
    const orders = Object.entries(processesOf(running)).filter(([name]) => name.startsWith('orders-'));
    for (const [, pid] of orders) process.kill(pid, 'SIGSTOP');
    const caller = new Customer(Client.bearer(sandbox['base-url'], sandbox['api-key']), customer.accountId);
    let outcome: string | undefined;
    const first = caller.accept(quoteId, { key }).then(
      ({ status }) => (outcome = `answered ${status}`),
      () => (outcome = 'cut off'),
    );
    await wait(IN_HAND_MS);
    // Kills the gateways in turn until the one with the request is dead, which closes the connection.
    for (const gateway of ['gateway-1', 'gateway-2']) {
      if (outcome !== undefined) continue;
      process.kill(processesOf(running)[gateway] as number, 'SIGKILL');
      await wait(CUT_MS);
    }
    for (const [, pid] of orders) process.kill(pid, 'SIGCONT');
    expect(await first).toBe('cut off');
    await caller.api.close();

    const began = performance.now();
    const heard: number[] = [];
    const answer = await until(
      async () => {
        const again = await customer.accept(quoteId, { key });
        heard.push(again.status);
        if (again.status !== 200) throw new Error(`HTTP ${again.status}: ${again.text}`);
        return again;
      },
      PATIENCE_MS,
      CUT_MS,
    );
    process.stdout.write(`answered after ${Math.round(performance.now() - began)} ms: ${heard.join(', ')}\n`);
    expect(heard).not.toContain(LOCKED);
    expect((await customer.api.get<{ orders: Order[] }>(customer.path('/orders'))).orders.map(({ id }) => id)).toEqual([
      answer.body.order.id,
    ]);
    await customer.api.close();
  });
});
