import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyWebhook } from '@ponte/sdk';
import type { Behaviour } from '../../../../libs/sdk/src/testing/scripted-server';
import { json, refusal, ScriptedServer } from '../../../../libs/sdk/src/testing/scripted-server';
import { CommandLine } from './testing/cli';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const event = (n: number, type = 'order-completed') => ({
  'event-id': `e${n}`,
  'event-type': type,
  payload: { n },
  'account-id': 'acc',
  'resource-type': 'order',
  'resource-id': `o${n}`,
  sequence: 1,
  'occurred-at': '2026-01-31T12:00:00.000Z',
  'api-version': 'v1',
});
const listed = (more: boolean, ...numbers: number[]): Behaviour =>
  json({
    events: numbers.map((number) => ({ number, event: event(number) })),
    'next-after': numbers.at(-1) ?? 0,
    more,
  });
const page = (...numbers: number[]): Behaviour => listed(false, ...numbers);
const stream =
  (events: readonly [number, string?][], ends = false): Behaviour =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const [n, type] of events) response.write(`id: ${n}\ndata: ${JSON.stringify(event(n, type))}\n\n`);
    if (ends) response.end();
  };

let api: ScriptedServer;
let cli: CommandLine;
beforeAll(async () => {
  [api, cli] = await Promise.all([new ScriptedServer().start(), CommandLine.build()]);
});
afterAll(() => api.stop());

const at = (...args: string[]): string[] => [...args, '--base-url', api.baseUrl, '--account', 'acc'];

/** A developer's webhook receiver on this machine. It answers valid webhooks with `status`. */
async function receiver(status: number) {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      verifyWebhook({ headers: request.headers, body }, SECRET).then(
        () => {
          bodies.push(body);
          response.writeHead(status).end();
        },
        () => response.writeHead(400).end(),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    bodies,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

describe('listen', () => {
  it('forwards new events, signed with the local secret, and reconnects after the connection breaks', async () => {
    const target = await receiver(200);
    api.behave(page(1, 2), page(), stream([[3]], true), stream([[3], [4], [5, 'deposit-processed']]));
    const listening = cli.lasting(
      at(
        'listen',
        '--forward',
        target.url,
        '--secret',
        SECRET,
        '--type',
        'order-completed',
        'deposit-processed',
        '--json',
      ),
      { PONTE_API_KEY: 'k' },
    );
    const lines = (await listening.said('"e5"'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { position: number; delivery: { status: number } });
    const { code, err } = await listening.interrupt();
    expect(lines.map(({ position, delivery }) => [position, delivery.status])).toEqual([
      [3, 200],
      [4, 200],
      [5, 200],
    ]);
    expect(target.bodies.map((body) => (JSON.parse(body) as { 'event-id': string })['event-id'])).toEqual([
      'e3',
      'e4',
      'e5',
    ]);
    expect([code, err.includes(SECRET), err.includes('The connection was lost')]).toEqual([130, true, true]);
    expect(api.arrived.at(-1)?.headers['last-event-id']).toBe('3');
    await target.close();
  });

  it('prints the response of the receiver and continues without a response', async () => {
    const target = await receiver(204);
    api.behave(stream([[1], [2]]));
    const file = cli.writeFile('secret.txt', `${SECRET}\n`);
    const listening = cli.lasting(at('listen', '--forward', target.url, '--secret', `@${file}`, '--after', '0'), {
      PONTE_API_KEY: 'k',
    });
    expect(await listening.said('o2')).toMatch(
      /order-completed +order o1 {2}-> 204 \(Ponte would try again: only 200 is success\) in \d+ ms/,
    );
    await listening.interrupt();
    await target.close();
    api.behave(stream([[1], [2]]));
    const alone = cli.lasting(at('listen', '--forward', target.url, '--after', '0'), {
      PONTE_API_KEY: 'k',
      PONTE_WEBHOOK_SECRET: SECRET,
    });
    expect(await alone.said('o2')).toContain('no answer (ECONNREFUSED)');
    await alone.interrupt();
  });

  it('forwards only to this machine', async () => {
    for (const url of ['https://example.com/hooks', 'http://127.0.0.1.example.com/', 'file:///etc/passwd', 'no url']) {
      expect((await cli.run(at('listen', '--forward', url), { PONTE_API_KEY: 'k' })).code).toBe(2);
    }
  });
});

describe('events', () => {
  it('prints the filtered log to its end, with --json only as JSON lines', async () => {
    api.behave(listed(true, 1, 2), page(3));
    const { code, out } = await cli.run(at('events', '--json', '--after', '0'), { PONTE_API_KEY: 'k' });
    expect(code).toBe(0);
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { position: number }).position),
    ).toEqual([1, 2, 3]);
    api.behave(page(1, 2));
    expect((await cli.run(at('events', '--type', 'webhook-ping'), { PONTE_API_KEY: 'k' })).out).toBe('');
  });

  it.each(['events', 'listen'])('refuses a type that no event has: %s', async (command) => {
    const { code, err } = await cli.run(at(command, '--type', 'order-complete'), { PONTE_API_KEY: 'k' });
    expect([code, err]).toEqual([2, expect.stringMatching(/Unknown event type: order-complete\.[^]*order-completed/)]);
  });

  it('explains an expired position', async () => {
    api.behave(refusal(410, 'cursor-expired'));
    const { code, err } = await cli.run(at('events', '--after', '5'), { PONTE_API_KEY: 'k' });
    expect([code, err.includes('90 days')]).toEqual([4, true]);
  });
});
