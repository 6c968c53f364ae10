import { RailFailed, RailTimedOut, ReturnRefused } from '../pix-charge/pix-charges.port';
import { HttpIncomingTeds } from './http.incoming-teds.adapter';
import { BankUnderTest, reply } from '../testing/bank-under-test';

const bank = new BankUnderTest();

describe('The HTTP adapter of incoming TEDs', () => {
  it('reads, lists and returns TEDs', async () => {
    const teds = new HttpIncomingTeds(bank.client);
    const wire = {
      tedId: 'STR1',
      identifier: 'ABC',
      amount: '50.00',
      settledAt: '2027-03-01T12:00:00-03:00',
      payer: { taxId: '52998224725', name: 'Ana', bankCode: '00000000', branch: '1584', account: '1-2' },
    };
    bank.answer = (_request, response) => reply(response, 200, wire);
    expect(await teds.get('STR1')).toMatchObject({
      tedId: 'STR1',
      identifier: 'ABC',
      amount: '50.00',
      settledAt: '2027-03-01T15:00:00.000Z',
      payer: { taxId: '52998224725', legalName: 'Ana' },
    });
    bank.answer = (_request, response) => reply(response, 200, { tedIds: ['STR1'], lastPage: true });
    expect(await teds.list({ from: 'a', to: 'b', page: 1 })).toEqual({ ids: ['STR1'], lastPage: true });
    bank.answer = (_request, response) => reply(response, 200, { returnId: 'r1', status: 'RETURNED' });
    const returned = { returnId: 'r1', status: 'returned', amount: null, bankReturnId: null };
    expect(await teds.sendBack('STR1', 'r1', '50.00')).toEqual(returned);
    bank.answer = (_request, response) =>
      reply(response, 200, { returnId: 'r1', status: 'RETURNED', controlNumber: 'STR9' });
    expect(await teds.getSentBack('STR1', 'r1')).toEqual({ ...returned, bankReturnId: 'STR9' });
    expect(bank.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /teds/STR1',
      'GET /teds?from=a&to=b&page=1',
      'PUT /teds/STR1/returns/r1',
      'GET /teds/STR1/returns/r1',
    ]);
    bank.answer = (_request, response) => reply(response, 404, {});
    expect([await teds.get('STR2'), await teds.getSentBack('STR1', 'r2')]).toEqual([undefined, undefined]);
    await expect(teds.sendBack('STR1', 'r2', '50.00')).rejects.toBeInstanceOf(RailFailed);
    bank.answer = (_request, response) => reply(response, 200, { ...wire, amount: 50 });
    await expect(teds.get('STR1')).rejects.toBeInstanceOf(RailTimedOut);
    await expect(teds.sendBack('STR1', 'r1', '50.00')).rejects.toBeInstanceOf(RailTimedOut);
  });

  it.each([409, 422])('says that the bank refuses a return with %i, if it has none and shows the TED', async (code) => {
    const teds = new HttpIncomingTeds(bank.client);
    const ted = { tedId: 'STR1', amount: '50.00', settledAt: '2027-03-01T12:00:00-03:00' };
    let [known, refusal]: [object | null, object] = [null, {}];
    bank.answer = ({ method, url }, response) => {
      if (method === 'PUT') return reply(response, code, refusal);
      const found = url?.includes('/returns/') ? known : ted;
      return found ? reply(response, 200, found) : reply(response, 404, {});
    };
    await expect(teds.sendBack('STR1', 'r1', '50.00')).rejects.toBeInstanceOf(ReturnRefused);
    await expect(teds.sendBack('STR2', 'r1', '50.00')).rejects.not.toBeInstanceOf(ReturnRefused);
    known = { returnId: 'r1', status: 'RETURNED', controlNumber: 'STR9' };
    expect(await teds.sendBack('STR1', 'r1', '50.00')).toMatchObject({ status: 'returned', bankReturnId: 'STR9' });
    known = null;
    refusal = { returnId: 'r1', status: 'NOT_CARRIED_OUT' };
    if (code === 422) expect((await teds.sendBack('STR1', 'r1', '50.00')).status).toBe('not-carried-out');
  });

  it.each([
    ['a different amount from the requested one', { amount: '50.01' }],
    ['an amount in another form', { amount: 50 }],
    ['another return id', { returnId: 'r2' }],
    ['another TED', { tedId: 'STR2' }],
  ])('treats a return with %s as no response', async (_case, changed) => {
    const teds = new HttpIncomingTeds(bank.client);
    const good = { returnId: 'r1', status: 'RETURNED', amount: '50.00', tedId: 'STR1' };
    bank.answer = (_request, response) => reply(response, 200, good);
    expect((await teds.sendBack('STR1', 'r1', '50.00')).amount).toBe('50.00');
    bank.answer = (_request, response) => reply(response, 200, { ...good, ...changed });
    await expect(teds.sendBack('STR1', 'r1', '50.00')).rejects.toBeInstanceOf(RailTimedOut);
    const read = teds.getSentBack('STR1', 'r1');
    // The adapter does not know what was requested before, so the ledger compares the amount.
    if ('amount' in changed && changed.amount === '50.01') expect((await read)?.amount).toBe('50.01');
    else await expect(read).rejects.toBeInstanceOf(RailTimedOut);
  });

  it.each([400, 403, 404, 429])('does not take %i for a refusal of the return', async (code) => {
    const teds = new HttpIncomingTeds(bank.client);
    bank.answer = (_request, response) => reply(response, code, {});
    const failure = await teds.sendBack('STR1', 'r1', '50.00').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RailFailed);
    expect(failure).not.toBeInstanceOf(ReturnRefused);
  });
});
