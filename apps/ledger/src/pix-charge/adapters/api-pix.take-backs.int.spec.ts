import { apiPixForEachTest } from '../../testing/api-pix-for-each-test';
import { reply } from '../../testing/bank-under-test';
import { RailFailed, TAKE_BACK_DAYS } from '../pix-charges.port';

const DAY_MS = 86_400_000;

describe('The adapter of API Pix', () => {
  const { https, under, pix, charge } = apiPixForEachTest();

  it('finds a take-back as late as the rules allow, in periods that the bank accepts', async () => {
    const endToEndId = await under().pay((await charge('late')).location, '10.00');
    under().now += (TAKE_BACK_DAYS - 1) * DAY_MS;
    await under().takeBack(endToEndId);
    const window = {
      from: new Date(under().now - 600_000).toISOString(),
      to: new Date(under().now).toISOString(),
      page: 0,
    };
    expect((await pix().listTakenBack(window)).ids).toEqual([endToEndId]);
    under().api.listDays = 1;
    await expect(pix().listTakenBack(window)).rejects.toBeInstanceOf(RailFailed);
  });

  it('reports a payment of which a part was taken back, and lists it once the rest is', async () => {
    const endToEndId = await under().pay((await charge('part')).location, '10.00');
    const at = new Date(under().now).toISOString();
    const window = { from: at, to: at, page: 0 };
    under().api.takenBack.set(endToEndId, [{ amount: '4.00', at }]);
    expect((await pix().listTakenBack(window)).ids).toEqual([]);
    expect(under().partly).toEqual([endToEndId]);
    under().api.takenBack.set(endToEndId, [
      { amount: '4.00', at },
      { amount: '6.00', at },
    ]);
    expect((await pix().listTakenBack(window)).ids).toEqual([endToEndId]);
  });

  it('requests no list that is longer than the bank accepts', async () => {
    const odd = under().now + 999;
    const window = { from: new Date(odd).toISOString(), to: new Date(odd + pix().listPeriodMs).toISOString(), page: 0 };
    expect(await pix().listReceived(window)).toEqual({ ids: [], lastPage: true });
    expect(await pix().listTakenBack(window)).toEqual({ ids: [], lastPage: true });
  });

  it('finds a take-back that the bank shows days after it happened', async () => {
    const endToEndId = await under().pay((await charge('shown late')).location, '10.00');
    under().now += DAY_MS;
    await under().takeBack(endToEndId);
    under().now += 10 * DAY_MS;
    const [from, to] = [under().now - 600_000, under().now].map((ms) => new Date(ms).toISOString());
    expect(await pix().listTakenBack({ from: from ?? '', to: to ?? '', page: 0 })).toEqual({
      ids: [endToEndId],
      lastPage: true,
    });
  });

  it('reports a part that was taken back up to a week before, and no older one again and again', async () => {
    const endToEndId = await under().pay((await charge('old part')).location, '10.00');
    under().api.takenBack.set(endToEndId, [{ amount: '4.00', at: new Date(under().now).toISOString() }]);
    const listed = async (days: number) => {
      const at = new Date(under().now + days * DAY_MS).toISOString();
      return (await pix().listTakenBack({ from: at, to: at, page: 0 })).ids;
    };
    expect([await listed(7), under().partly]).toEqual([[], [endToEndId]]);
    expect([await listed(8), under().partly]).toEqual([[], [endToEndId]]);
  });

  it('stops with an error when the bank gives one page of its take-backs again and again', async () => {
    const endToEndId = await under().pay((await charge('repeated')).location, '10.00');
    await under().takeBack(endToEndId);
    const { answer } = https;
    https.answer = (request, response, body) => {
      const url = new URL(request.url ?? '', 'https://bank.example');
      if (!url.searchParams.has('devolucaoPresente')) return answer?.(request, response, body) ?? false;
      const paginacao = { paginaAtual: 0, quantidadeDePaginas: 2 };
      return reply(response, 200, { parametros: { paginacao }, pix: [{ endToEndId, valor: '10.00' }] });
    };
    const at = new Date(under().now).toISOString();
    await expect(pix().listTakenBack({ from: at, to: at, page: 0 })).rejects.toThrow('the same entries on page 1');
  });
});
