import { RailFailed, RailTimedOut } from '../pix-charge/pix-charges.port';
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
    const returned = { returnId: 'r1', status: 'returned', bankReturnId: null };
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
});
