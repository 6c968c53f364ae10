import { apiPixForEachTest } from '../../testing/api-pix-for-each-test';
import { reply } from '../../testing/bank-under-test';
import { PIX_KEY } from '../../testing/pix-under-test';
import { RailFailed, RailTimedOut } from '../pix-charges.port';
import { ApiPix } from './api-pix.pix-charges.adapter';

describe('The adapter of API Pix', () => {
  const { https, under, pix, txidOf, charge } = apiPixForEachTest();

  it('sends the documented requests with our certificate and a token', async () => {
    const { location, txid } = await charge('documented');
    const endToEndId = await under().pay(location, '10.00');
    await pix().listReceived({ from: '2026-11-20T12:00:00.900Z', to: '2026-11-20T13:00:00.100Z', page: 2 });
    await pix().requestReturn(endToEndId, 'r1', '1.00');
    await pix().removeCharge(txid);
    expect(https.seen.map(({ method, url, body }) => ({ method, url, body }))).toEqual([
      {
        method: 'PUT',
        url: `/cob/${txid}`,
        body: { calendario: { expiracao: 900 }, valor: { original: '10.00' }, chave: PIX_KEY },
      },
      {
        method: 'GET',
        url:
          '/pix?inicio=2026-11-20T12%3A00%3A00Z&fim=2026-11-20T13%3A00%3A01Z' +
          '&paginacao.paginaAtual=2&paginacao.itensPorPagina=200',
        body: undefined,
      },
      { method: 'PUT', url: `/pix/${endToEndId}/devolucao/r1`, body: { valor: '1.00' } },
      { method: 'PATCH', url: `/cob/${txid}`, body: { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' } },
      { method: 'GET', url: `/cob/${txid}`, body: undefined },
    ]);
    expect(https.seen[0]).toMatchObject({ authorization: 'Bearer token-1', subject: 'localhost' });
  });

  it('says that a txid has a charge of a different amount, even if the bank has just opened it', async () => {
    const refusal = { message: expect.stringContaining('a charge with this txid exists with a different amount') };
    await charge('taken');
    await expect(charge('taken', '11.00')).rejects.toMatchObject(refusal);
    https.answer = (_request, response) =>
      reply(response, 201, {
        ...{ txid: txidOf('opened'), status: 'ATIVA', valor: { original: '1.00' }, location: 'pix.example/1' },
        calendario: { criacao: '2026-11-20T12:34:56Z', expiracao: 900 },
      });
    await expect(charge('opened')).rejects.toMatchObject(refusal);
  });

  it('requests the scopes that the bank requires', async () => {
    const client = https.clientFor({ scope: 'cob.read pix().read' });
    await new ApiPix(client, { key: PIX_KEY, listDays: 30, now: () => 0, unrecorded: () => undefined }).getCharge('x');
    expect(https.scope).toBe('cob.read pix().read');
    await client.close();
  });

  it('reads all pages of a list', async () => {
    under().api.pageSize = 2;
    const ids: string[] = [];
    for (const seed of ['1', '2', '3', '4', '5'])
      ids.push(await under().pay((await charge(`page ${seed}`)).location, '10.00'));
    const window = { from: '2026-11-20T12:00:00.000Z', to: '2026-11-20T13:00:00.000Z' };
    const pages = await Promise.all([0, 1, 2].map((page) => pix().listReceived({ ...window, page })));
    expect(pages.map(({ lastPage }) => lastPage)).toEqual([false, false, true]);
    expect(pages.flatMap((page) => page.ids).sort()).toEqual([...ids].sort());
    for (const id of ids) await under().takeBack(id);
    const takenBack = await Promise.all([0, 1, 2].map((page) => pix().listTakenBack({ ...window, page })));
    expect(takenBack.map(({ lastPage }) => lastPage)).toEqual([false, false, true]);
    expect(takenBack.flatMap((page) => page.ids).sort()).toEqual([...ids].sort());
  });

  it('returns a payment without a payer, if the bank does not state it', async () => {
    const endToEndId = await under().pay((await charge('no payer')).location, '10.00');
    under().api.hidesPayers = true;
    expect((await pix().getReceived(endToEndId))?.payer).toMatchObject({ taxId: null, legalName: '' });
  });

  it('counts an active charge as ended ten minutes after its expiry', async () => {
    const { txid } = await charge('expired');
    under().now += 901_000 + 590_000;
    expect((await pix().getCharge(txid))?.status).toBe('active');
    under().now += 20_000;
    expect((await pix().getCharge(txid))?.status).toBe('removed-by-bank');
  });

  it.each([
    ['another txid', { txid: 'x' }],
    ['an unknown status', { status: 'PAUSADA' }],
    ['an amount in another form', { valor: { original: 10 } }],
    ['no location', { loc: {} }],
    ['a payment without an id', { pix: [{}] }],
    ['no expiry', { calendario: { criacao: '2026-11-20T12:34:56Z' } }],
  ])('treats a charge with %s as no response', async (_case, changed) => {
    const { txid } = await charge('odd');
    const good = {
      ...{ txid, status: 'ATIVA', valor: { original: '10.00' }, loc: { location: 'pix.example/1' } },
      calendario: { criacao: '2026-11-20T12:34:56Z', expiracao: 900 },
    };
    https.answer = (_request, response) => reply(response, 200, good);
    expect((await pix().getCharge(txid))?.location).toBe('pix.example/1');
    https.answer = (_request, response) => reply(response, 200, { ...good, ...changed });
    await expect(pix().getCharge(txid)).rejects.toBeInstanceOf(RailTimedOut);
  });

  it.each([
    ['another id', { id: 'r2' }],
    ['another payment', { endToEndId: 'E2' }],
    ['no amount', { valor: null }],
    ['an unknown status', { status: 'PAUSADA' }],
  ])('treats a return with %s as no response', async (_case, changed) => {
    const good = { id: 'r1', endToEndId: 'E1', valor: '2.00', status: 'DEVOLVIDO', rtrId: 'D1' };
    https.answer = (_request, response) => reply(response, 200, good);
    const returned = { returnId: 'r1', status: 'returned', amount: '2.00', bankReturnId: 'D1' };
    expect(await pix().getReturn('E1', 'r1')).toEqual(returned);
    expect(await pix().requestReturn('E1', 'r1', '2.00')).toEqual(returned);
    https.answer = (_request, response) => reply(response, 200, { ...good, ...changed });
    await expect(pix().getReturn('E1', 'r1')).rejects.toBeInstanceOf(RailTimedOut);
    await expect(pix().requestReturn('E1', 'r1', '2.00')).rejects.toBeInstanceOf(RailTimedOut);
  });

  it('treats other malformed responses as no response, and refusals as not executed', async () => {
    const refused = (status: number, body: unknown = {}) => {
      https.answer = (_request, response) => reply(response, status, body);
    };
    const window = { from: '2026-11-20T12:00:00.000Z', to: '2026-11-20T13:00:00.000Z', page: 0 };
    const calls = [
      () => charge('refused'),
      () => pix().getCharge(txidOf('refused')),
      () => pix().getReceived('E1'),
      () => pix().listReceived(window),
      () => pix().listTakenBack(window),
      () => pix().requestReturn('E1', 'r1', '1.00'),
      () => pix().getReturn('E1', 'r1'),
    ];
    refused(200, { id: 'r1', status: 'DEVOLVIDO', valor: '2.00' });
    for (const call of calls.slice(0, -1)) await expect(call()).rejects.toBeInstanceOf(RailTimedOut);
    refused(503);
    for (const call of calls) await expect(call()).rejects.toBeInstanceOf(RailTimedOut);
    for (const status of [403, 429]) {
      refused(status);
      for (const call of calls) await expect(call()).rejects.toBeInstanceOf(RailFailed);
    }
  });
});
