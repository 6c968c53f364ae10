import type { ServerResponse } from 'node:http';
import { eventually, selfSigned } from '@ponte/testing';
import { RailFailed, RailTimedOut } from '../pix-charge/pix-charges.port';
import { HttpPayouts } from './http.payouts.adapter';
import type { PayoutOrder } from './payouts.port';
import { BankUnderTest, reply } from '../testing/bank-under-test';

const bank = new BankUnderTest();
let payouts: HttpPayouts;
beforeEach(() => {
  payouts = new HttpPayouts(bank.client);
});

const ID = 'a'.repeat(32);
const ORDER: PayoutOrder = {
  paymentId: ID,
  amount: '10.00',
  method: 'pix',
  pixKey: { kind: 'email', value: 'ana@x.example' },
  payee: {
    taxId: '52998224725',
    legalName: 'Ana Duarte',
    bankCode: '12345678',
    branchCode: '0001',
    accountNumber: '9-1',
  },
};

describe('The HTTP adapter of the payout bank', () => {
  it('sends the documented request with our certificate and a token', async () => {
    expect(await payouts.send(ORDER)).toEqual({
      paymentId: ID,
      status: 'completed',
      refusal: null,
      amount: '10.00',
      endToEndId: 'E1',
      returns: [],
    });
    expect(bank.seen).toEqual([
      {
        method: 'PUT',
        url: `/payments/${ID}`,
        authorization: 'Bearer token-1',
        subject: 'localhost',
        body: {
          method: 'PIX',
          amount: '10.00',
          currency: 'BRL',
          pixKey: 'ana@x.example',
          creditor: { name: 'Ana Duarte', taxId: '52998224725', bankCode: '12345678', branch: '0001', account: '9-1' },
        },
      },
    ]);
    await payouts.send({ ...ORDER, paymentId: 'b'.repeat(32), method: 'ted', pixKey: null });
    expect(bank.seen[1]?.body).not.toHaveProperty('pixKey');
  });

  it('reuses a token until shortly before it expires, and gets a new one if the bank revoked it', async () => {
    await Promise.all([payouts.get(ID), payouts.get(ID)]);
    await payouts.get(ID);
    expect(bank.tokens).toBe(1);
    bank.now = 31_000;
    await payouts.get(ID);
    expect(bank.tokens).toBe(2);
    bank.answer = (request, response) => request.headers.authorization === 'Bearer token-2' && reply(response, 401, {});
    expect(await payouts.get(ID)).toBeUndefined();
    expect(bank.tokens).toBe(3);
  });

  it('gets a new token after a 401 that is not JSON, and reports a second 401 as done nothing', async () => {
    await payouts.get(ID);
    bank.answer = (request, response) =>
      request.headers.authorization === 'Bearer token-1' && reply(response, 401, 'Unauthorized');
    expect(await payouts.get(ID)).toBeUndefined();
    expect(bank.tokens).toBe(2);
    bank.answer = (_request, response) => reply(response, 401, '<html>');
    await expect(payouts.get(ID)).rejects.toThrow(RailFailed);
    expect(bank.tokens).toBe(3);
  });

  it.each([
    ['a 500', (response: ServerResponse) => reply(response, 500, {})],
    ['a 408', (response: ServerResponse) => reply(response, 408, {})],
    ['a response that is not JSON', (response: ServerResponse) => reply(response, 200, '<html>')],
    ['an unknown status', (response: ServerResponse) => reply(response, 200, { paymentId: ID, status: 'DONE' })],
    [
      'another payment',
      (response: ServerResponse) =>
        reply(response, 200, { paymentId: 'x', status: 'COMPLETED', endToEndId: 'E1', amount: '10.00' }),
    ],
    [
      'another amount',
      (response: ServerResponse) =>
        reply(response, 200, { paymentId: ID, status: 'COMPLETED', endToEndId: 'E1', amount: '10.01' }),
    ],
    [
      'a broken connection',
      (response: ServerResponse) => {
        response.destroy();
        return true;
      },
    ],
  ])('treats %s as an unknown outcome', async (_case, answering) => {
    bank.answer = (_request, response) => answering(response);
    await expect(payouts.send(ORDER)).rejects.toBeInstanceOf(RailTimedOut);
  });

  it('treats no response in time as an unknown outcome', async () => {
    bank.answer = () => true;
    const hasty = bank.clientFor({ timeoutMs: 500 });
    // The token, which the bank does send, may take longer than that on a slow machine.
    await eventually(() => expect(new HttpPayouts(hasty).send(ORDER)).rejects.toBeInstanceOf(RailTimedOut));
    await hasty.close();
  });

  it('treats a 4xx, a refused connection and a missing token as not executed', async () => {
    bank.answer = (_request, response) => reply(response, 400, {});
    await expect(payouts.send(ORDER)).rejects.toBeInstanceOf(RailFailed);
    bank.answer = (_request, response) => reply(response, 409, {});
    await expect(payouts.send(ORDER)).rejects.toBeInstanceOf(RailFailed);
    for (const more of [{ url: 'https://localhost:1' }, { clientSecret: 'wrong' }]) {
      const other = bank.clientFor(more);
      await expect(new HttpPayouts(other).send(ORDER)).rejects.toBeInstanceOf(RailFailed);
      await other.close();
    }
  });

  it("rejects if the bank does not accept our certificate, or if the bank's certificate is not trusted", async () => {
    const stranger = selfSigned();
    for (const more of [{ certificate: stranger.certificate, key: stranger.key }, { ca: stranger.certificate }]) {
      const other = bank.clientFor(more);
      await expect(new HttpPayouts(other).get(ID)).rejects.toBeInstanceOf(RailFailed);
      await other.close();
    }
    expect(bank.seen).toEqual([]);
  });

  it('reads refusals, and treats an unknown reason as a refusal too', async () => {
    for (const [reason, refusal] of [
      ['PAYEE_MISMATCH', 'payee-mismatch'],
      ['PAYEE_ACCOUNT_CLOSED', 'payee-account-closed'],
      ['FULL_MOON', 'bank-refused'],
    ]) {
      bank.answer = (_request, response) =>
        reply(response, 422, { paymentId: ID, status: 'REFUSED', refusalReason: reason });
      expect(await payouts.send(ORDER)).toMatchObject({ status: 'refused', refusal });
    }
  });

  it('states the amount that the bank has, and reads no payment without one unless it is refused', async () => {
    const wire = { paymentId: ID, status: 'COMPLETED', endToEndId: 'E1' };
    for (const read of [() => payouts.get(ID), () => payouts.cancel(ID)]) {
      bank.answer = (_request, response) => reply(response, 200, { ...wire, amount: '10.01' });
      expect(await read()).toMatchObject({ status: 'completed', amount: '10.01' });
      for (const amount of [undefined, null, '', 10, '10', '-1.00']) {
        bank.answer = (_request, response) => reply(response, 200, { ...wire, amount });
        await expect(read()).rejects.toBeInstanceOf(RailTimedOut);
      }
      bank.answer = (_request, response) => reply(response, 200, { paymentId: ID, status: 'REFUSED' });
      expect(await read()).toMatchObject({ status: 'refused', amount: null });
    }
  });

  it('cancels payments, and reads returns', async () => {
    expect(await payouts.cancel(ID)).toMatchObject({ status: 'refused', refusal: 'cancelled' });
    bank.answer = (_request, response) =>
      reply(response, 200, {
        paymentId: ID,
        status: 'COMPLETED',
        endToEndId: 'E1',
        amount: '10.00',
        returns: [{ returnId: 'D1', amount: '4.00', returnedAt: '2027-03-01T12:00:00-03:00' }],
      });
    expect(await payouts.get(ID)).toMatchObject({
      returns: [{ returnId: 'D1', amount: '4.00', returnedAt: '2027-03-01T15:00:00.000Z' }],
    });
    const many = Array.from({ length: 501 }, (_, at) => ({
      returnId: `D${at}`,
      amount: '0.01',
      returnedAt: '2027-03-01T12:00:00-03:00',
    }));
    bank.answer = (_request, response) =>
      reply(response, 200, { paymentId: ID, status: 'COMPLETED', endToEndId: 'E1', amount: '10.00', returns: many });
    await expect(payouts.get(ID)).rejects.toBeInstanceOf(RailTimedOut);
    bank.answer = (_request, response) => reply(response, 200, { paymentIds: [ID], lastPage: true });
    expect(
      await payouts.listReturned({ from: '2027-03-01T00:00:00.000Z', to: '2027-03-02T00:00:00.000Z', page: 0 }),
    ).toEqual({ ids: [ID], lastPage: true });
    expect(bank.seen.at(-1)?.url).toBe(
      '/payments?returnedFrom=2027-03-01T00%3A00%3A00.000Z&returnedTo=2027-03-02T00%3A00%3A00.000Z&page=0',
    );
    bank.answer = (_request, response) => reply(response, 200, { paymentIds: 'many' });
    await expect(payouts.listReturned({ from: '', to: '', page: 0 })).rejects.toBeInstanceOf(RailTimedOut);
  });
});
