import { apiPixForEachTest } from '../../testing/api-pix-for-each-test';
import { reply } from '../../testing/bank-under-test';
import { MAX_RETURNS, depositIdOf, returnIdOf } from '../../deposit/deposit.state';
import { RailFailed, TAKE_BACK_DAYS } from '../pix-charges.port';

const DAY_MS = 86_400_000;

describe('The adapter of API Pix', () => {
  const { https, under, pix, charge } = apiPixForEachTest();
  /** The page of the payments that were received at this time. */
  const page = (ms = under().now, at = 0) => {
    const time = new Date(ms).toISOString();
    return pix().listTakenBack({ from: time, to: time, page: at });
  };

  it('finds a take-back as late as the rules allow, by the time of the payment, in periods that the bank accepts', async () => {
    const [paidAt, endToEndId] = [under().now, await under().pay((await charge('late')).location, '10.00')];
    under().now += (TAKE_BACK_DAYS - 1) * DAY_MS;
    await under().takeBack(endToEndId);
    expect((await page(paidAt)).ids).toEqual([endToEndId]);
    expect(pix().takeBackLookBackMs).toBe(TAKE_BACK_DAYS * DAY_MS);
    under().api.listDays = 1;
    const [from, to] = [paidAt, paidAt + 2 * DAY_MS].map((ms) => new Date(ms).toISOString());
    await expect(pix().listTakenBack({ from: from ?? '', to: to ?? '', page: 0 })).rejects.toBeInstanceOf(RailFailed);
  });

  it('reports a payment of which a part was taken back, and lists it once the rest is', async () => {
    const endToEndId = await under().pay((await charge('part')).location, '10.00');
    const at = new Date(under().now).toISOString();
    under().api.otherReturns.set(endToEndId, [{ amount: '4.00', at }]);
    expect((await page()).ids).toEqual([]);
    expect(under().unrecorded.part).toEqual([endToEndId]);
    under().api.otherReturns.set(endToEndId, [
      { amount: '4.00', at },
      { amount: '6.00', at },
    ]);
    expect((await page()).ids).toEqual([endToEndId]);
  });

  it('requests no list that is longer than the bank accepts', async () => {
    const odd = under().now + 999;
    const window = { from: new Date(odd).toISOString(), to: new Date(odd + pix().listPeriodMs).toISOString(), page: 0 };
    expect(await pix().listReceived(window)).toEqual({ ids: [], lastPage: true });
    expect(await pix().listTakenBack(window)).toMatchObject({ ids: [], lastPage: true });
  });

  it('reports a part that was taken back up to a week before, and no older one again and again', async () => {
    const [paidAt, endToEndId] = [under().now, await under().pay((await charge('old part')).location, '10.00')];
    under().api.otherReturns.set(endToEndId, [{ amount: '4.00', at: new Date(paidAt).toISOString() }]);
    under().now += 7 * DAY_MS;
    expect([(await page(paidAt)).ids, under().unrecorded.part]).toEqual([[], [endToEndId]]);
    under().now += DAY_MS;
    expect([(await page(paidAt)).ids, under().unrecorded.part]).toEqual([[], [endToEndId]]);
  });

  it.each(['ORIGINAL', 'RETIRADA', 'ADDED_LATER', null])(
    'reports a return that we did not request, with the natureza %s, and none that we requested',
    async (natureza) => {
      const own = await under().pay((await charge('ours')).location, '10.00');
      const endToEndId = await under().pay((await charge('others')).location, '10.00');
      for (const attempt of [1, MAX_RETURNS])
        await pix().requestReturn(own, returnIdOf(depositIdOf(own), attempt), '5.00');
      under().api.otherReturns.set(endToEndId, [
        { amount: '10.00', at: new Date(under().now).toISOString(), natureza },
      ]);
      expect(await page()).toMatchObject({ ids: [], unreadable: [], listed: [own, endToEndId].sort() });
      expect(under().unrecorded).toEqual({ part: [], unrequested: [endToEndId] });
      under().now += 7 * DAY_MS + 1;
      await page(under().now - 7 * DAY_MS - 1);
      expect(under().unrecorded.unrequested).toEqual([endToEndId]);
    },
  );

  it.each([
    ['an amount that is no amount', [{ valor: '10.5', horario: { liquidacao: '2026-11-20T12:00:00Z' } }]],
    ['no time', [{ valor: '10.00' }]],
    ['no list of returns', 'none'],
  ])('lists a take-back with %s as unreadable, and the others of its page', async (_case, devolucoes) => {
    const med = { natureza: 'MED_FRAUDE', status: 'DEVOLVIDO' };
    const whole = { ...med, valor: '10.00', horario: { liquidacao: '2026-11-20T12:00:00Z' } };
    const damaged = typeof devolucoes === 'string' ? devolucoes : devolucoes.map((one) => ({ ...med, ...one }));
    lists([
      { endToEndId: 'E1', valor: '10.00', devolucoes: damaged },
      { endToEndId: 'E2', valor: '10.00', devolucoes: [whole] },
      { endToEndId: 'E3', valor: '10.00', devolucoes: [{ ...whole, natureza: 'ORIGINAL' }] },
    ]);
    expect(await page()).toEqual({ ids: ['E2'], unreadable: ['E1'], listed: ['E1', 'E2', 'E3'], lastPage: true });
  });

  it('names all entries of a page, so that a page that the bank gives again and again is noticed', async () => {
    lists([{ endToEndId: 'E1', valor: '10.00' }], 2);
    expect(await page()).toMatchObject({ ids: [], listed: ['E1'], lastPage: false });
  });

  it('ends a list at an empty page', async () => {
    lists([], 2);
    expect(await page()).toMatchObject({ ids: [], lastPage: true });
  });

  /** The bank gives these payments on each page of its list of payments with returns. */
  function lists(payments: readonly object[], quantidadeDePaginas = 1): void {
    const { answer } = https;
    https.answer = (request, response, body) => {
      const url = new URL(request.url ?? '', 'https://bank.example');
      if (!url.searchParams.has('devolucaoPresente')) return answer?.(request, response, body) ?? false;
      const paginacao = { paginaAtual: 0, quantidadeDePaginas };
      return reply(response, 200, { parametros: { paginacao }, pix: payments });
    };
  }
});
