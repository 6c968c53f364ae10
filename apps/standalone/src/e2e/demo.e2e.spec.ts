import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Ponte } from '@ponte/sdk';
import { runSteps } from '../demo/demo-steps';
import type { WebhookReceiver } from '../demo/webhook-receiver';
import { startWebhookReceiver } from '../demo/webhook-receiver';
import { Client } from './testing/client';
import { Customer } from './testing/customer';
import { brlvOnChain } from './testing/on-chain';
import type { Running } from './testing/program';
import { chainPids, isAlive } from './testing/chain-processes';
import { ANVIL, CLUSTERED, itEmbedded, Program, SUITE_MS } from './testing/program';
import { PATIENCE_MS, until } from './testing/waiting';

jest.setTimeout(SUITE_MS);

let program: Program;
let receiver: WebhookReceiver;
beforeAll(async () => {
  program = await Program.build();
  receiver = await startWebhookReceiver();
});
afterAll(async () => {
  await receiver.close();
  await program.close();
});

/** Reads everything that a partner can read of an account. */
async function allOf(customer: Customer): Promise<Record<string, unknown>> {
  const reads = ['/orders', '/assets/brl/deposits', '/webhook-endpoints', '/deposits/pix', ''];
  const answers = await Promise.all(
    reads.map(async (read) => [read, await customer.api.get(customer.path(read))] as const),
  );
  const { available, held, running } = await customer.balance('brl');
  const brlv = await customer.balance('brlv');
  return {
    ...Object.fromEntries(answers),
    accounts: await customer.api.get('/api/v1/accounts'),
    brl: { available, held, running },
    brlv,
  };
}

describe('the program', () => {
  itEmbedded('runs every step of npm run demo and leaves no file or process', async () => {
    const home = dirname(program.dataFolder());
    const temporary = join(home, 'tmp');
    mkdirSync(temporary);
    const { code, output } = await program.verb(['demo'], join(home, '.ponte'), { ...ANVIL, TMPDIR: temporary });
    expect(output).toContain('Every step succeeded.');
    expect(code).toBe(0);
    expect(readdirSync(temporary)).toEqual([]);
  });

  describe('started with npm start', () => {
    let folder: string;
    let running: Running;
    let customer: Customer;
    beforeAll(async () => {
      folder = program.dataFolder();
      running = await program.start(folder, ANVIL);
      customer = Customer.of(running.sandbox);
    });
    afterAll(() => customer.api.close());

    it('prints addresses, keys and ids, and writes the same as JSON', async () => {
      const { sandbox } = running;
      const { 'reliance-api-key': reliance, 'bare-api-key': bare, staff, ...greeted } = sandbox;
      expect(Object.keys(greeted).sort()).toEqual([
        'account-id',
        'api-key',
        'base-url',
        'console',
        'docs',
        'subaccount-id',
        'wallet-address',
      ]);
      for (const value of Object.values(greeted)) expect(running.printed).toContain(value);
      for (const key of [reliance, bare]) expect(key).toMatch(/^sk_test_/);
      expect(new Set(staff.map(({ role }) => role))).toEqual(
        new Set(['compliance-analyst', 'compliance-approver', 'operator', 'auditor']),
      );
      // /docs is the reference, or redirects to the guides below /docs/ if they are built.
      const html = { accept: 'text/html' };
      const first = await customer.api.send('GET', '/docs', undefined, html);
      const docs = first.status === 302 ? await customer.api.send('GET', '/docs/', undefined, html) : first;
      expect(docs).toMatchObject({
        status: 200,
        headers: { 'content-type': expect.stringContaining('text/html') as string },
      });
      expect(await customer.api.get('/readyz')).toEqual({ status: 'ready' });
    });

    it('runs the steps of the demo in a shared sandbox', async () => {
      const { sandbox } = running;
      const chain = brlvOnChain(folder);
      await runSteps({
        baseUrl: sandbox['base-url'],
        staff: sandbox.staff,
        client: new Ponte({ baseUrl: sandbox['base-url'], apiKey: sandbox['api-key'] }),
        accountId: sandbox['account-id'],
        subaccountId: sandbox['subaccount-id'],
        walletAddress: sandbox['wallet-address'],
        receiver,
        onChainBalance: (holder) => chain.of(holder),
        print: () => undefined,
      });
      expect(await chain.of(sandbox['wallet-address'])).toBe('250.5');
      expect(await customer.balance('brlv')).toMatchObject({ running: '250.500000000000000000' });
      expect(await customer.balance('brl')).toEqual({ running: '555.00', available: '555.00', held: '0.00' });
    });

    it('refuses a second start and a reset on the same folder', async () => {
      await expect(program.start(folder, ANVIL)).rejects.toThrow(/is in use by process \d+/);
      expect(await program.verb(['reset'], folder)).toMatchObject({
        code: 1,
        output: expect.stringContaining('is in use by process') as string,
      });
      expect(await customer.balance('brl')).toMatchObject({ running: '555.00' });
    });

    it('runs independently of a second cluster on the same machine', async () => {
      const other = await program.start(program.dataFolder());
      const stranger = Customer.of(other.sandbox);
      expect(other.sandbox['base-url']).not.toBe(running.sandbox['base-url']);
      expect(await stranger.api.get(stranger.path('/orders'))).toEqual({ orders: [] });
      const misled = Client.bearer(other.sandbox['base-url'], running.sandbox['api-key']);
      expect(await misled.send('GET', '/api/v1/accounts')).toMatchObject({
        status: 401,
        body: { error: { code: 'unknown-api-key' } },
      });
      await misled.close();
      await stranger.api.close();
      await other.stop();
    });

    it('keeps its state over a restart and continues to work', async () => {
      const before = await allOf(customer);
      const { sandbox } = running;
      const pids = chainPids(folder);
      expect(pids).toHaveLength(3);
      await running.stop();
      await customer.api.close();
      expect(pids.filter(isAlive)).toEqual([]);

      running = await program.start(folder, ANVIL);
      customer = Customer.of(running.sandbox);
      const { 'base-url': baseUrl, docs, console: consoleUrl } = running.sandbox;
      expect(running.sandbox).toEqual({ ...sandbox, 'base-url': baseUrl, docs, console: consoleUrl });
      expect(await allOf(customer)).toEqual(before);
      expect(await brlvOnChain(folder).of(sandbox['wallet-address'])).toBe('250.5');

      const accepted = await customer.accept(await customer.quote('20.00'));
      expect(await customer.ended(accepted.body.order.id)).toMatchObject({ state: 'completed' });
      expect(await brlvOnChain(folder).of(sandbox['wallet-address'])).toBe('270.5');
      // The endpoint and its secret from before the restart still work.
      await until(() =>
        expect(
          receiver.verified
            .filter((event) => event['resource-id'] === accepted.body.order.id)
            .map((event) => event['event-type']),
        ).toEqual(['order-created', 'order-processing', 'order-completed']),
      );
      expect(receiver.refused).toBe(0);
    });

    itEmbedded('accepts admin commands while it runs and while it is stopped, but not for a wrong folder', async () => {
      const list = ['admin', 'account', 'list', '--json'];
      const live = await program.verb(list, folder);
      await running.stop();
      const still = await program.verb(list, folder);
      expect([live.code, still.code]).toEqual([0, 0]);
      expect(JSON.parse(still.output)).toEqual(JSON.parse(live.output));
      expect(live.output).toContain(running.sandbox['subaccount-id']);
      expect((await program.verb(list, join(folder, 'wrong'))).output).toContain('wrong is not a data folder of Ponte');
      expect(existsSync(join(folder, 'wrong'))).toBe(false);
    });

    it('deletes its data with npm run reset, even after a kill, but leaves other folders alone', async () => {
      // After a kill the chains of the dead process are still running, and only the folder records them.
      if (CLUSTERED) await running.stop();
      running = await program.start(folder, ANVIL);
      running.kill();
      await running.ended(PATIENCE_MS);
      const orphans = chainPids(folder);
      expect(orphans.filter(isAlive)).toHaveLength(3);
      expect(await program.verb(['reset'], folder)).toMatchObject({ code: 0 });
      expect(existsSync(folder)).toBe(false);
      await until(() => expect(orphans.filter(isAlive)).toEqual([]));
      const mine = program.dataFolder();
      writeFileSync(join(mine, 'letter.txt'), 'keep me');
      expect((await program.verb(['rest'], mine)).output).toContain("unknown command 'rest'");
      expect(await program.verb(['reset'], mine)).toMatchObject({
        code: 1,
        output: expect.stringContaining('left alone') as string,
      });
      expect(readFileSync(join(mine, 'letter.txt'), 'utf8')).toBe('keep me');
    });
  });
});
