import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { Json } from './testing/client';
import { Customer } from './testing/customer';
import type { Running } from './testing/program';
import { Program, SUITE_MS } from './testing/program';
import { until } from './testing/waiting';

jest.setTimeout(SUITE_MS);

interface Heard {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly text: string;
}
interface Endpoint extends Json {
  readonly id: string;
  readonly secret: string;
}
interface Delivery {
  readonly id: string;
  readonly state: string;
  readonly 'event-id': string;
  readonly attempts: { readonly 'http-status': number; readonly response: string | null }[];
}
interface Numbered {
  readonly number: number;
  readonly event: {
    readonly 'event-id': string;
    readonly 'event-type': string;
    readonly payload: Record<string, string>;
  };
}

describe("the API of a partner's webhooks", () => {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { url: path = '', headers } = request;
      heard.push({ path, headers: headers as Record<string, string>, text: Buffer.concat(parts).toString() });
      response.writeHead(200).end(`taken: ${Buffer.concat(parts).toString()}`);
    });
  });
  let program: Program;
  let running: Running;
  let customer: Customer;
  let endpoint: Endpoint;
  const path = (rest: string) => customer.path(`/webhook-endpoints${rest}`);
  const verifiesWith = (secret: string, { text, headers }: Heard): boolean => {
    try {
      new Webhook(secret).verify(text, headers);
      return true;
    } catch {
      return false;
    }
  };
  const next = (count: number) =>
    until(async () => {
      if (heard.length <= count) throw new Error('nothing yet');
      return heard.at(-1) as Heard;
    });

  beforeAll(async () => {
    program = await Program.build();
    running = await program.start(program.dataFolder());
    customer = Customer.of(running.sandbox);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const made = await customer.api.post<{ 'webhook-endpoint': Endpoint }>(path(''), {
      url,
      'event-types': ['deposit-processed'],
      description: 'Deposits',
    });
    endpoint = made['webhook-endpoint'];
  });
  afterAll(async () => {
    await customer.api.close();
    await program.close();
    server.closeAllConnections();
    server.close();
  });

  it('delivers an event, lists the delivery without personal data, and logs the event under the same id', async () => {
    await customer.fund('10.00');
    const first = await next(0);
    expect(verifiesWith(endpoint.secret, first)).toBe(true);
    const taxId = (JSON.parse(first.text) as { payload: Record<string, string> }).payload['source-tax-id'] ?? 'none';
    const delivery = await until(async () => {
      const {
        'webhook-deliveries': [one],
      } = await customer.api.get<{ 'webhook-deliveries': Delivery[] }>(
        path(`/${endpoint.id}/deliveries?state=succeeded`),
      );
      if (!one?.attempts[0]?.response) throw new Error('the response is not recorded yet');
      return one;
    });
    expect(delivery.attempts[0]).toMatchObject({
      'http-status': 200,
      response: expect.stringContaining('taken: ') as string,
    });
    expect(delivery.attempts[0]?.response).not.toContain(taxId);
    expect(delivery['event-id']).toBe(first.headers['webhook-id']);
    const logged = await until(async () => {
      const { events } = await customer.api.get<{ events: Numbered[] }>(customer.path('/events?after=0'));
      const found = events.find(({ event }) => event['event-id'] === delivery['event-id']);
      if (!found) throw new Error('not logged yet');
      return found;
    });
    expect(logged.event.payload['source-tax-id']).toBe(taxId);
    const count = heard.length;
    await customer.api.send('POST', path(`/deliveries/${delivery.id}/replay`));
    expect((await next(count)).headers['webhook-id']).toBe(first.headers['webhook-id']);
  });

  it('rotates the secret so that both the old and the new one verify', async () => {
    const { 'webhook-endpoint': rotated } = await customer.api.post<{ 'webhook-endpoint': Endpoint }>(
      path(`/${endpoint.id}/rotate-secret`),
      {},
    );
    const count = heard.length;
    await customer.api.send('POST', path(`/${endpoint.id}/ping`));
    const ping = await next(count);
    expect([verifiesWith(endpoint.secret, ping), verifiesWith(rotated.secret, ping)]).toEqual([true, true]);
    const check = await customer.api.post<{ 'signature-check': Json }>('/api/v1/sandbox/signature-check', {
      webhook: {
        'webhook-endpoint-id': endpoint.id,
        'account-id': customer.accountId,
        secret: rotated.secret,
        'webhook-id': ping.headers['webhook-id'],
        'webhook-timestamp': ping.headers['webhook-timestamp'],
        'webhook-signature': ping.headers['webhook-signature'],
        body: ping.text,
      },
    });
    expect(check['signature-check']).toMatchObject({ result: 'correct' });
  });

  it('disables an endpoint, enables it again and replays the missed events', async () => {
    await customer.api.send('PATCH', path(`/${endpoint.id}`), { enabled: false });
    await customer.fund('11.00');
    const count = heard.length;
    const enabled = await customer.api.send<{ 'webhook-endpoint': Json }>('PATCH', path(`/${endpoint.id}`), {
      enabled: true,
      'replay-missed': true,
    });
    expect([enabled.status, enabled.body['webhook-endpoint']]).toEqual([
      200,
      expect.objectContaining({ status: 'enabled' }),
    ]);
    expect((JSON.parse((await next(count)).text) as { payload: Json }).payload).toMatchObject({ amount: '11.00' });
  });

  it('changes the address, event types and description separately and delivers accordingly', async () => {
    const one = path(`/${endpoint.id}`);
    const read = async () =>
      (await customer.api.get<{ 'webhook-endpoint': Json & { url: string } }>(one))['webhook-endpoint'];
    const before = await read();
    const kinds = ['order-created', 'webhook-ping'];
    const url = new URL('/moved', before.url).href;
    for (const change of [{ description: 'Orders' }, { url }, { 'event-types': kinds }])
      expect(await customer.api.send('PATCH', one, change)).toMatchObject({
        status: 200,
        body: { 'webhook-endpoint': change },
      });
    expect(await read()).toMatchObject({
      url,
      'event-types': kinds,
      description: 'Orders',
      status: 'enabled',
      'created-at': before['created-at'],
    });
    const count = heard.length;
    // An event of a type that is no longer selected, then one of a selected type. The first would arrive before the
    // second.
    await customer.fund('12.00');
    await customer.api.send('POST', one.concat('/ping'));
    const moved = await next(count);
    expect([moved.path, (JSON.parse(moved.text) as Json)['event-type']]).toEqual(['/moved', 'webhook-ping']);
    expect(heard).toHaveLength(count + 1);
    const refused = await customer.api.send<Json>('PATCH', one, { url: 'ftp://127.0.0.1/' });
    expect(refused).toMatchObject({ status: 400, body: { error: { details: [{ path: 'url' }] } } });
    expect((await read()).url).toBe(url);
  });

  it('simulates faults', async () => {
    const faults = await customer.api.send('POST', path(`/${endpoint.id}/faults`), { 'bad-signature': true });
    expect(faults.status).toBe(200);
    const count = heard.length;
    await customer.api.send('POST', path(`/${endpoint.id}/ping`));
    expect(verifiesWith(endpoint.secret, await next(count))).toBe(false);
  });
});
