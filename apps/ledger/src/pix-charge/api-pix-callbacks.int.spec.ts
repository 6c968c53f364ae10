import { request } from 'undici';
import { eventually, freePort } from '@ponte/testing';
import { apiPixLedgerForEachTest } from '../testing/api-pix-ledger-for-each-test';
import { reply } from '../testing/bank-under-test';
import { PIX_KEY } from '../testing/pix-under-test';

const PUBLIC = 'https://callbacks.ponte.example';
let port: number;
const { ledger, https, pix } = apiPixLedgerForEachTest(async () => {
  port = await freePort();
  return { LEDGER_PIX_CALLBACK_URL: PUBLIC, LEDGER_PIX_CALLBACK_LISTEN: `127.0.0.1:${port}` };
});

/** Registers, and returns the path that the bank then knows. */
const registered = async (): Promise<string> => {
  await ledger.pixNotices.register();
  const url = pix().api.callbacks.urlOf(PIX_KEY) ?? '';
  expect(url).toMatch(/^https:\/\/callbacks\.ponte\.example\/callbacks\/pix\/[0-9a-f]{64}$/);
  return url.slice(PUBLIC.length);
};
const post = async (path: string, body: unknown): Promise<number> => {
  const answer = await request(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  await answer.body.dump();
  return answer.statusCode;
};
const pay = async (amount: string): Promise<string> => {
  pix().now = ledger.now;
  return pix().simulated.payCode(await ledger.fundingCode(), amount);
};
const callbackOf = (...endToEndIds: unknown[]) => ({
  pix: endToEndIds.map((endToEndId) => ({ endToEndId, txid: 'x', valor: '999.99', horario: '2026-11-20T12:34:56Z' })),
});
const available = async () => (await ledger.balance()).available;

describe('The callbacks of a bank that offers API Pix', () => {
  it.each(['', '/pix'])('credit a payment without a poll, for what the bank says it is (%s)', async (suffix) => {
    const path = await registered();
    const endToEndId = await pay('100.00');
    expect(await post(`${path}${suffix}`, callbackOf(endToEndId, endToEndId))).toBe(204);
    await ledger.credited(endToEndId);
    expect(await post(`${path}${suffix}`, callbackOf(endToEndId))).toBe(204);
    expect(await available()).toBe('100.00');
  });

  it('are registered once, again when the bank has lost them, and under the same address after a restart', async () => {
    const path = await registered();
    const puts = () => https.seen.filter(({ method, url }) => method === 'PUT' && url.startsWith('/webhook/')).length;
    await ledger.pixNotices.register();
    expect(puts()).toBe(1);
    pix().api.callbacks.forget();
    expect(await registered()).toBe(path);
    await ledger.restart();
    expect(await registered()).toBe(path);
    expect(puts()).toBe(2);
    expect(https.scope).toContain('webhook.write');
  });

  it('are registered by a timer', async () => {
    ledger.engines.timers.start();
    await eventually(() => expect(pix().api.callbacks.urlOf(PIX_KEY)).toBeDefined());
  });

  it('are not registered at a bank that refuses, which is counted', async () => {
    https.answer = (_request, response) => reply(response, 403, {});
    await expect(ledger.pixNotices.register()).rejects.toThrow('the bank did not execute register: HTTP 403');
    const counter = ledger.engines.metrics.registry.getSingleMetric('ponte_pix_calls_total');
    expect((await counter?.get())?.values).toContainEqual(
      expect.objectContaining({ labels: expect.objectContaining({ call: 'register', outcome: 'failed' }), value: 1 }),
    );
  });

  it('ask the bank for nothing unless the address and the ids are right', async () => {
    const path = await registered();
    const endToEndId = await pay('5.00');
    https.seen = [];
    expect(await post('/callbacks/pix', callbackOf(endToEndId))).toBe(404);
    expect(await post(`/callbacks/pix/${'0'.repeat(64)}/pix`, callbackOf(endToEndId))).toBe(404);
    for (const body of [callbackOf('../cob/1', 1, null), { pix: 'x' }, { pix: [null] }, { evento: 'teste' }, [], null])
      expect(await post(path, body)).toBe(204);
    expect(await post(path, '{"pix":')).toBe(422);
    expect(https.seen).toEqual([]);
    expect(await post(path, callbackOf('E0000000020261120120000000000000'))).toBe(204);
    expect(https.seen.map(({ url }) => url)).toEqual(['/pix/E0000000020261120120000000000000']);
    expect(await available()).toBe('0.00');
    expect(ledger.lines.some((line) => line.includes(path))).toBe(false);
  });

  it('lose nothing when the bank does not answer: the next poll credits the payment', async () => {
    const path = await registered();
    const endToEndId = await pay('12.00');
    pix().simulated.bank.misbehaviour.fail('get-received', 'error');
    expect(await post(path, callbackOf(endToEndId))).toBe(204);
    expect(await available()).toBe('0.00');
    await ledger.tick();
    await ledger.credited(endToEndId);
    expect(await available()).toBe('12.00');
  });
});
