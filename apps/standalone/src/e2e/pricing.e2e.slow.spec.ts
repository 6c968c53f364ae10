import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JSONWebKeySet } from 'jose';
import { compactVerify, createLocalJWKSet } from 'jose';
import Database from 'libsql';
import type { Json } from './testing/client';
import { Client, succeeded } from './testing/client';
import { Customer } from './testing/customer';
import { Operator } from './testing/operator';
import type { Running } from './testing/program';
import { itEmbedded, Program, SUITE_MS } from './testing/program';
import { signInStaff } from './testing/staff';
import { until } from './testing/waiting';
import type { Backtest, Explained, Rules } from './testing/pricing-samples';
import { DRY_RUN, FX, WIDER, WRONG } from './testing/pricing-samples';

jest.setTimeout(SUITE_MS);

/** Tests explanations, dry runs and rules with the built program, embedded or as a cluster. */
describe('quoted prices', () => {
  let program: Program;
  let folder: string;
  let running: Running;
  let customer: Customer;
  let operator: Operator;

  beforeAll(async () => {
    program = await Program.build();
    running = await program.start((folder = program.dataFolder()));
    customer = Customer.of(running.sandbox);
    operator = Operator.of(running);
    await customer.fund('500.00');
  });
  afterAll(async () => {
    await Promise.all([customer.api.close(), operator.api.close()]);
    await program.close();
  });

  const quote = async (wanted: Json = FX) =>
    succeeded(await customer.api.persist<{ id: string }>(customer.path('/quotes'), wanted)).id;
  const rules = () => operator.api.get<Rules>('/staff/pricing-rules');
  const file = (name: string, json: object): string => {
    const path = join(folder, name);
    writeFileSync(path, JSON.stringify(json));
    return path;
  };
  const verb = (...argv: string[]) => program.verb(['admin', 'rules', ...argv], folder);
  const logEnd = (): number => {
    const log = new Database(join(folder, 'events.db'), { readonly: true });
    try {
      return (log.prepare('SELECT max(position) AS head FROM events').get() as { head: number }).head;
    } finally {
      log.close();
    }
  };

  it('have an explanation whose signature verifies with the published keys, even after a restart', async () => {
    const id = await quote();
    const explain = () => customer.api.get<Explained>(customer.path(`/quotes/${id}?explain=true`));
    const verified = async ({ jws, quote: shown, explanation }: Explained) => {
      const open = new Client(running.sandbox['base-url'], {});
      const keys = createLocalJWKSet(await open.get<JSONWebKeySet>('/.well-known/jwks.json'));
      await open.close();
      const { payload } = await compactVerify(jws, keys);
      expect(JSON.parse(new TextDecoder().decode(payload))).toEqual({
        quote: shown,
        explanation,
        'account-id': customer.accountId,
      });
      const [head, body = '', signature] = jws.split('.');
      const forged = [
        head,
        Buffer.from(Buffer.from(body, 'base64url').toString().replace('1000.00', '9000.00')).toString('base64url'),
        signature,
      ];
      await expect(compactVerify(forged.join('.'), keys)).rejects.toThrow('signature verification failed');
    };
    const before = await explain();
    await verified(before);
    expect((await operator.api.get<Explained>(`/staff/quotes/${id}`)).explanation).toEqual(before.explanation);
    await Promise.all([customer.api.close(), operator.api.close()]);
    await running.stop();
    running = await program.start(folder);
    [customer, operator] = [Customer.of(running.sandbox), Operator.of(running)];
    const after = await explain();
    await verified(after);
    expect(after.explanation).toEqual(before.explanation);
  });

  it('can be checked with a dry run, which changes nothing visible', async () => {
    const id = await quote({ 'source-asset': 'fiat/brl', 'target-asset': 'eth-base/brlv', 'source-amount': '20.00' });
    const [orders, balance] = [await customer.api.get(customer.path('/orders')), await customer.balance('brl')];
    const dry = await customer.api.send<Json>('POST', customer.path('/quotes'), FX, DRY_RUN);
    expect([dry.status, dry.headers['preference-applied']]).toEqual([200, 'dry-run']);
    for (const method of ['account-balance', 'brcode']) {
      const body = { 'quote-id': id, 'source-payment-method': method };
      const order = await customer.api.send<{ order: Json }>('POST', customer.path('/orders'), body, DRY_RUN);
      expect([order.status, order.body.order['state'], order.body.order['brcode'] ?? null]).toEqual([
        200,
        'created',
        null,
      ]);
    }
    const refused = await customer.api.send<{ error: { code: string } }>(
      'POST',
      customer.path('/quotes'),
      { ...FX, 'source-amount': '0.10' },
      DRY_RUN,
    );
    expect([refused.status, refused.body.error.code]).toEqual([422, 'amount-below-minimum']);
    expect(await customer.api.get(customer.path('/orders'))).toEqual(orders);
    expect(await customer.balance('brl')).toEqual(balance);
  });

  itEmbedded('leave the log unchanged in dry runs and back-tests', async () => {
    const id = await quote({ 'source-asset': 'fiat/brl', 'target-asset': 'eth-base/brlv', 'source-amount': '20.00' });
    await until(async () => {
      const end = logEnd();
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      if (logEnd() !== end) throw new Error('earlier events are still being written');
    });
    const end = logEnd();
    succeeded(await customer.api.send('POST', customer.path('/quotes'), FX, DRY_RUN));
    for (const method of ['account-balance', 'brcode']) {
      const body = { 'quote-id': id, 'source-payment-method': method };
      succeeded(await customer.api.send('POST', customer.path('/orders'), body, DRY_RUN));
    }
    await operator.api.post('/staff/pricing-rules/backtest', { rules: WIDER, last: 10 });
    await operator.api.post('/staff/pricing-rules/check', { rules: WRONG });
    expect(logEnd()).toBe(end);
    await quote();
    expect(logEnd()).toBe(end + 1);
  });

  it('name the version of their rules, which staff can read and compare with proposed rules', async () => {
    const id = await quote();
    const { explanation } = await customer.api.get<Explained>(customer.path(`/quotes/${id}?explain=true`));
    const known = await until(async () => {
      const found = await rules();
      if (found.history.length === 0) throw new Error('the rules are not recorded');
      return found;
    });
    expect(known['in-force'].version).toBe(explanation['rules-version']);
    const { 'pricing-rules': version } = await operator.api.get<{ 'pricing-rules': { tables: object } }>(
      `/staff/pricing-rules/${explanation['rules-version']}`,
    );
    expect(version.tables).toEqual(known['in-force'].tables);
    const { backtest } = await operator.api.post<Backtest>('/staff/pricing-rules/backtest', { rules: WIDER, last: 1 });
    expect([backtest.quotes, backtest.changed, backtest.items[0]?.['quote-id']]).toEqual([1, 1, id]);
    const { sandbox } = running;
    const auditor = await signInStaff(
      sandbox['base-url'],
      sandbox.staff.find(({ name }) => name.includes('auditor')) ?? { name: '', password: '' },
    );
    expect(await auditor.get<Rules>('/staff/v1/pricing-rules')).toEqual(await rules());
    const { check } = await auditor.post<{ check: { violations: { path: string }[] } }>(
      '/staff/v1/pricing-rules/check',
      { rules: WRONG },
    );
    expect(check.violations.map(({ path }) => path)).toEqual(['spreads[0].bps']);
    const refused = await auditor.send<{ error: { details: { path: string }[] } }>(
      'POST',
      '/staff/v1/pricing-rules/backtest',
      { rules: WRONG, last: 1 },
    );
    expect([refused.status, refused.body.error.details[0]?.path]).toEqual([400, 'rules.spreads[0].bps']);
    await auditor.close();
    expect((await customer.api.send('GET', '/staff/pricing-rules')).status).toBe(401);
  });

  it('follow rules that operators can check and back-test on the command line', async () => {
    const [right, wrong] = [file('wider.json', WIDER), file('wrong.json', WRONG)];
    expect(await verb('check', '--file', right)).toMatchObject({
      code: 0,
      output: expect.stringContaining('wider') as string,
    });
    const checked = await verb('check', '--file', wrong);
    expect([checked.code, checked.output]).toEqual([
      1,
      expect.stringContaining('spreads[0].bps  must be a whole number from 1 to 4999'),
    ]);
    expect(await verb('check', '--file', join(folder, 'absent.json'))).toMatchObject({
      code: 1,
      output: expect.stringContaining('cannot be read') as string,
    });
    const table = await verb('backtest', '--file', right, '--last', '2');
    expect([table.code, table.output]).toEqual([0, expect.stringMatching(/2 quotes, [12] changed, 0 refused/)]);
    const { output } = await verb('backtest', '--file', right, '--last', '1', '--json');
    expect(JSON.parse(output)).toMatchObject({ quotes: 1, proposed: { id: 'wider' } });
    expect(await verb('backtest', '--file', wrong)).toMatchObject({
      code: 1,
      output: expect.stringContaining('rules.spreads[0].bps') as string,
    });
    expect(await verb('show')).toMatchObject({
      code: 0,
      output: expect.stringContaining('in force: 2020-01') as string,
    });
    expect(readFileSync(right, 'utf8')).toBe(JSON.stringify(WIDER));
  });
});
