import type { Answer } from './testing/client';
import { SIMULATED, SUITE_MS } from './testing/program';
import { SandboxSuite } from './testing/sandbox-suite';
import { requestId } from './testing/traced-orders';
import { until } from './testing/waiting';

jest.setTimeout(SUITE_MS);

let suite: SandboxSuite;
beforeAll(async () => {
  suite = await SandboxSuite.start({ ...SIMULATED, PONTE_LOG_LEVEL: 'info' });
  await suite.customer.fund('500.00');
});
afterAll(() => suite.close());

/** The streams of the resources that a request created, by its log lines. */
const createdBy = (answer: Answer<unknown>): string[] =>
  suite.running.log
    .split('\n')
    .filter((line) => line.includes(requestId(answer)) && line.includes('"a resource was created"'))
    .map((line) => (JSON.parse(line) as { stream: string }).stream);

describe('the log at its default level', () => {
  it('leads from the X-Request-Id of a response to the order, the withdrawal and the wallet', async () => {
    const { customer } = suite;
    const ordered = await customer.accept(await customer.quote('10.00'));
    const body = { asset: 'fiat/brl', method: 'pix', amount: '10.00', 'pix-key': 'maria@pix.example' };
    const withdrawn = await customer.api.send<{ withdrawal: { id: string } }>(
      'POST',
      customer.path('/withdrawals'),
      body,
    );
    const opened = await customer.api.send<{ wallet: { id: string } }>('POST', customer.path('/wallets'), {
      'wallet-name': 'support',
      chain: 'eth-base',
    });
    await until(() => {
      expect(createdBy(ordered)).toEqual([`order-${ordered.body.order.id}`]);
      expect(createdBy(withdrawn)).toEqual([`withdrawal-${withdrawn.body.withdrawal.id}`]);
      expect(createdBy(opened)).toEqual([`wallet-${opened.body.wallet.id}`]);
    });
  });

  it('has no such line for a request that created nothing', async () => {
    const { customer } = suite;
    const refused = await customer.accept('0198c1d2-7a3b-7c4d-9e5f-0123456789ab');
    expect(refused.status).toBe(422);
    const ordered = await customer.accept(await customer.quote('10.00'));
    await until(() => expect(createdBy(ordered)).toHaveLength(1));
    expect(createdBy(refused)).toEqual([]);
  });
});
