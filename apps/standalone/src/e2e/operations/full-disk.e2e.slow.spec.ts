import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { openSmallDisk, sayEngine } from '@ponte/testing';
import type { SmallDisk } from '@ponte/testing';
import { Listener } from '../../chaos/testing/listener';
import { codeOf } from '../testing/client';
import { Customer } from '../testing/customer';
import { itEmbedded, Program, SIMULATED, SUITE_MS } from '../testing/program';
import { ofType, readLog, trialBalanceOf } from '../testing/trial-balance';
import { until } from '../testing/waiting';

jest.setTimeout(SUITE_MS);

const DISK_BYTES = 64 * 2 ** 20;
const ORDERS_BEFORE = 10;
/** A full disk may still have room for some events in pages that were allocated before. */
const MAX_ORDERS = 60;

let program: Program;
let disk: SmallDisk | undefined;
beforeAll(async () => {
  program = await Program.build();
  disk = openSmallDisk(DISK_BYTES);
});
afterAll(async () => {
  await program.close();
  disk?.remove();
});

itEmbedded(
  'orders are refused as unavailable while the disk of all services is full; with space they and those in progress end by themselves, once',
  async () => {
    sayEngine('all services on a full disk', disk ? 'a disk in memory' : 'nothing: mounting a disk is not permitted');
    if (!disk) return;
    const running = await program.start(join(disk.path, '.ponte'), SIMULATED);
    const listener = await Listener.start();
    const customer = Customer.of(running.sandbox);
    const partner = new Customer(customer.api, running.sandbox['account-id']);
    listener.useSecret(await partner.listen(listener.url));
    await customer.fund('1000.00');
    const wanted: { readonly quoteId: string; readonly key: string }[] = [];
    for (let at = 0; at < MAX_ORDERS; at += 1)
      wanted.push({ quoteId: await customer.quote('10.00'), key: randomUUID() });
    const accept = ({ quoteId, key }: (typeof wanted)[number]) => customer.accept(quoteId, { key });
    const readiness = () => customer.api.send('GET', '/readyz');

    const sent = wanted.slice(0, ORDERS_BEFORE);
    const before = await Promise.all(sent.map(accept));
    expect(before.map(codeOf)).toEqual(sent.map(() => '200'));
    disk.fill();
    const refused = await until(async () => {
      const next = wanted[sent.length];
      if (next === undefined) return undefined;
      sent.push(next);
      const answer = await accept(next);
      if (answer.status === 200) throw new Error('there is still room');
      return answer;
    });
    expect(refused && codeOf(refused)).toBe('503 service-unavailable');
    expect(refused?.headers['retry-after']).toMatch(/^\d+$/);
    await until(async () => {
      const { status, text } = await readiness();
      expect([status, text]).toEqual([503, expect.stringContaining('the disk is full')]);
    });
    expect((await customer.api.send('GET', customer.path('/orders'))).status).toBe(200);

    disk.free();
    await until(async () => expect((await readiness()).status).toBe(200));
    const orders: string[] = [];
    for (const { quoteId, key } of sent) {
      const answer = await customer.settle(quoteId, key);
      expect(codeOf(answer)).toBe('200');
      orders.push(answer.body.order.id);
    }
    for (const id of orders) expect((await customer.ended(id)).state).toBe('completed');
    await until(() => expect(orders.filter((id) => !listener.completed.has(id))).toEqual([]));
    expect(listener.overtaken).toEqual([]);
    expect(listener.refused).toEqual([]);
    await customer.api.close();
    await running.stop();
    await listener.close();
    const log = await readLog(running.dataDirectory);
    expect(trialBalanceOf(log)).toMatchObject({ unbalancedAt: null, openHolds: [] });
    const placed = ofType<{ readonly orderId: string }>(log, 'OrderPlaced').map(({ data }) => data.orderId);
    expect(placed.sort()).toEqual(orders.sort());
  },
);
