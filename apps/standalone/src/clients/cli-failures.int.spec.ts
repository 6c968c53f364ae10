import type { Behaviour } from '../../../../libs/sdk/src/testing/scripted-server';
import { cut, json, refusal, ScriptedServer, silence } from '../../../../libs/sdk/src/testing/scripted-server';
import { CommandLine } from './testing/cli';

const NOW = { 'retry-after': '0' };
const BODY = '{"asset":"fiat/brl","amount":"3.00"}';
const WITHDRAW = ['call', 'create-withdrawal', '--body', BODY];

let api: ScriptedServer;
let cli: CommandLine;
beforeAll(async () => {
  [api, cli] = await Promise.all([new ScriptedServer().start(), CommandLine.build()]);
});
afterAll(() => api.stop());

const env = () => ({ PONTE_API_KEY: 'k', PONTE_BASE_URL: api.baseUrl, PONTE_ACCOUNT_ID: 'acc' });
const ponte = (args: readonly string[]) => cli.run(args, env());
/** Interrupts a command as soon as its request has arrived, which the API does not answer. */
async function interrupted(args: readonly string[]) {
  const arrived = new Promise<void>((resolve) => {
    api.behave((response, request) => {
      silence(response, request);
      resolve();
    });
  });
  const running = cli.lasting(args, env());
  await arrived;
  return running.interrupt();
}
const errorIn = (err: string) => (JSON.parse(err) as { error: Record<string, unknown> }).error;
const sentKey = () => String(api.arrived.at(-1)?.headers['idempotency-key']);

describe('a write with an unknown outcome', () => {
  const repetition = () =>
    `The request may have been processed. To repeat it without doing it twice, add --idempotency-key ${sentKey()}.`;

  it.each<[string, Behaviour, string[]]>([
    ['500', refusal(500, 'internal-error', NOW), WITHDRAW],
    ['504 of a proxy', json('gateway timeout', 504, NOW), WITHDRAW],
    ['409 of the first request', refusal(409, 'idempotency-in-progress', NOW), WITHDRAW],
    ['500 to an order', refusal(500, 'internal-error', NOW), ['order', 'q1']],
    ['500 to a quote', refusal(500, 'internal-error', NOW), ['quote', '--from', 'a', '--to', 'b', '--amount', '1']],
    ['500 to a payment', refusal(500, 'internal-error', NOW), ['pay', '--brcode', 'x']],
  ])('names its key and ends with exit code 5 after %s', async (_, response, args) => {
    api.behave(response);
    const text = await ponte(args);
    expect([text.code, text.err]).toEqual([5, expect.stringContaining(repetition())]);
    const { code, err } = await ponte([...args, '--json']);
    expect([code, errorIn(err)]).toEqual([
      5,
      expect.objectContaining({ 'idempotency-key': sentKey(), hint: expect.stringContaining(repetition()) as string }),
    ]);
  });

  it('names the key that the user passed after a lost connection', async () => {
    api.behave(cut);
    const { code, err } = await ponte([...WITHDRAW, '--idempotency-key', 'payout-1', '--json']);
    expect([code, errorIn(err)['code'], errorIn(err)['idempotency-key']]).toEqual([5, 'no-answer', 'payout-1']);
  });

  it('names its key when it is interrupted', async () => {
    const { code, err } = await interrupted(WITHDRAW);
    expect([code, err]).toEqual([130, expect.stringContaining(repetition())]);
  });

  it('does not name an option that the command does not have', async () => {
    api.behave(refusal(500, 'internal-error', NOW));
    const { err } = await ponte(['trigger', 'pix-paid']);
    expect(err).toContain('The request may have been processed. Check that before you repeat it.');
    expect(err).not.toContain('--idempotency-key');
  });
});

describe('a request with a known outcome', () => {
  it('names no key', async () => {
    api.behave(refusal(422, 'insufficient-balance'));
    const { code, err } = await ponte([...WITHDRAW, '--json']);
    expect([code, errorIn(err)['idempotency-key']]).toEqual([4, null]);
    api.behave(refusal(500, 'internal-error', NOW));
    expect((await ponte(['orders', 'o1'])).err).not.toContain('may have been processed');
  });

  it('is silent when a read is interrupted', async () => {
    expect(await interrupted(['orders', 'o1'])).toEqual({ code: 130, out: '', err: '' });
  });
});

describe('with --json', () => {
  it.each([
    [['balances', 'xyz'], 'Allowed choices are'],
    [['quote', '--from', 'x'], "required option '--to <asset>' not specified"],
    [['no-such-command'], "unknown command 'no-such-command'"],
    [['call'], "missing required argument 'operation'"],
    [[], 'A command is required.'],
  ])('a usage error is one line of JSON: %j', async (args, message) => {
    const { code, out, err } = await ponte([...args, '--json']);
    expect([code, out, err.split('\n').length]).toEqual([2, '', 2]);
    expect(errorIn(err)).toMatchObject({ code: 'usage', 'exit-code': 2 });
    expect(errorIn(err)['message']).toContain(message);
  });

  it('the help is still text', async () => {
    expect((await ponte(['--help', '--json'])).out).toContain('Usage: ponte');
  });
});

describe('a value that is missing', () => {
  it.each(['--account', '--base-url'])('is refused in %s, instead of using that of the profile', async (option) => {
    api.behave(json({ balance: {} }));
    const { code, err } = await ponte(['balances', option, '']);
    expect([code, err]).toEqual([2, expect.stringContaining(`${option} is empty.`)]);
    expect(api.arrived).toEqual([]);
  });
});

describe('order --wait', () => {
  const order = { id: 'o1', state: 'created', brcode: '000201' };
  const completed = json({ order: { ...order, state: 'completed' } });

  it('shows the order and its Pix code before it waits', async () => {
    api.behave(json({ order }), completed);
    const { code, out, err } = await ponte(['order', 'q1', '--pix', '--wait']);
    expect([code, err]).toEqual([0, expect.stringMatching(/The order o1 is placed.* Pay this Pix code: 000201\n$/)]);
    expect(out).toMatch(/state +completed/);
  });

  it('shows them as one line of JSON, and only the last state as its result', async () => {
    api.behave(json({ order }), completed);
    const { out, err } = await ponte(['order', 'q1', '--wait', '--json']);
    expect(JSON.parse(err)).toMatchObject({ 'order-id': 'o1', brcode: '000201' });
    expect(JSON.parse(out)).toMatchObject({ id: 'o1', state: 'completed' });
  });
});

describe('a deposit that is not found', () => {
  it('may be one of another asset', async () => {
    api.behave(refusal(404, 'deposit-not-found'));
    const { code, err } = await ponte(['deposits', 'd1']);
    expect([code, err]).toEqual([4, expect.stringContaining('--asset')]);
    expect((await ponte(['deposits', '--asset', 'eth-base/usdc'])).code).toBe(2);
  });
});
