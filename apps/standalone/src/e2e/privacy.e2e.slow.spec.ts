import { openSqlitePersonalData } from '@ponte/eventstore-sqlite';
import type { DepositCreated, DepositVoided, PixCoordinates } from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import { ofType, readLog } from './testing/trial-balance';
import { filesIn, canariesIn } from './testing/canaries';
import { Client } from './testing/client';
import type { PaidPix } from './testing/customer';
import { CANARIES, HOLDER, PAYER, refusedOfPartners, refusedOfStaff, STRANGER } from './testing/privacy-people';
import type { PrivacyUnderTest } from './testing/privacy-under-test';
import { about, startPrivacyUnderTest } from './testing/privacy-under-test';
import { DEPOSIT_FIELDS, ENVELOPE_FIELDS, ORDER_FIELDS } from './testing/webhook-fields';
import { CLUSTERED, itEmbedded, SUITE_MS } from './testing/program';
import { until } from './testing/waiting';

jest.setTimeout(SUITE_MS);

let underTest: PrivacyUnderTest;
/**
 * The account numbers that the simulated bank generated for payers. Only the holder's own number is disclosed, and only
 * to the holder.
 */
let bankCanaries: string[] = [];
const errors: string[] = [];

beforeAll(async () => {
  underTest = await startPrivacyUnderTest();
});
afterAll(() => underTest.close());

describe('personal data in transit', () => {
  it('is used by a deposit, an order from the balance and one by brcode', async () => {
    const { customer, partner, own } = underTest;
    await customer.fund('100.00');
    const first = await customer.accept(await customer.quote('60.00'));
    expect((await customer.ended(first.body.order.id)).state).toBe('completed');
    const second = await customer.accept(await customer.quote('25.00'), { brcode: true });
    await partner.post(
      '/api/v1/sandbox/pix-payments',
      { brcode: second.body.order.brcode, 'payer-tax-id': HOLDER.taxId },
      { 'idempotency-key': 'the holder pays' },
    );
    expect((await customer.ended(second.body.order.id)).state).toBe('completed');
    await until(() => about(own, 'order-completed'));
  });

  it('is in clear text only in listed members of webhooks to the account and its parent', async () => {
    const { customer, own, parents } = underTest;
    for (const receiver of [own, parents]) {
      const deposit = await until(() => about(receiver, 'deposit-processed'));
      expect(Object.keys(deposit).sort()).toEqual(ENVELOPE_FIELDS);
      expect(Object.keys(deposit.payload)).toEqual(DEPOSIT_FIELDS);
      expect(deposit.payload).toMatchObject({
        'account-id': customer.accountId,
        amount: '100.00',
        'source-legal-name': HOLDER.name,
        'source-tax-id': HOLDER.taxId,
      });
      const order = await until(() => about(receiver, 'order-completed'));
      expect(Object.keys(order.payload)).toEqual(ORDER_FIELDS);
      expect(canariesIn(JSON.stringify(order), CANARIES)).toEqual([]);
    }
    bankCanaries = [String(about(own, 'deposit-processed').payload['source-account-number'])];
  });

  it('of the sender of a refused payment is disclosed to no one', async () => {
    const { customer, partner, own, parents } = underTest;
    const { 'pix-payment': paid } = await partner.post<PaidPix>('/api/v1/sandbox/pix-payments', {
      'account-id': customer.accountId,
      amount: '9.00',
      'payer-tax-id': STRANGER.taxId,
    });
    const deposit = await customer.deposited(paid['end-to-end-id'], 'voided');
    expect(canariesIn(JSON.stringify(deposit), CANARIES)).toEqual([]);
    for (const receiver of [own, parents]) {
      const { payload } = await until(() => about(receiver, 'deposit-voided'));
      expect(payload).toMatchObject({
        'source-legal-name': '***',
        'source-tax-id': expect.stringMatching(/^\*{3}\.\d{3}\.\d{3}-\*{2}$/) as string,
        'source-branch-code': '***',
        'source-account-number': '***',
      });
      expect(canariesIn(JSON.stringify(payload), CANARIES)).toEqual([]);
    }
  });

  it('is not repeated in any error', async () => {
    const { running, operator, customer, partner } = underTest;
    const { name, taxId } = PAYER;
    for (const [path, body] of refusedOfStaff(customer))
      errors.push((await operator.api.send('POST', path, body as string)).text);
    for (const [method, path, body] of refusedOfPartners(customer))
      errors.push((await partner.send(method, path, body as string)).text);
    errors.push(
      (
        await partner.send(
          'POST',
          customer.path('/orders'),
          { 'quote-id': 'x' },
          { 'idempotency-key': `${name} ${taxId} ç` },
        )
      ).text,
    );
    errors.push(
      (
        await new Client(running.sandbox['base-url'], { authorization: `Bearer ${taxId}`, 'x-api-key': name }).send(
          'GET',
          '/api/v1/accounts',
        )
      ).text,
    );
    for (const error of errors) {
      expect(JSON.parse(error)).toMatchObject({ error: { code: expect.any(String) as string } });
      expect(canariesIn(error, CANARIES)).toEqual([]);
    }
  });
});

describe('personal data at rest', () => {
  it('is in clear text in no file of a running cluster, not even in the books of the simulated bank', () => {
    const { running } = underTest;
    const files = filesIn(running.dataDirectory);
    if (!CLUSTERED)
      expect(files.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['events.db', 'read-models.db', 'state.db', 'edge.db', 'pix-bank.db', 'sandbox.json']),
      );
    for (const { name, text } of files)
      expect([name, canariesIn(text, [...CANARIES, ...bankCanaries])]).toEqual([name, []]);
  });

  it('is in no file, event, span or log line at level trace after the cluster has stopped', async () => {
    const { running, collector } = underTest;
    await running.stop();
    for (const { name, text } of filesIn(running.dataDirectory))
      expect([name, canariesIn(text, [...CANARIES, ...bankCanaries])]).toEqual([name, []]);
    const log = await readLog(running.dataDirectory);
    for (const event of log)
      expect([event.type, canariesIn(JSON.stringify(event), [...CANARIES, ...bankCanaries])]).toEqual([event.type, []]);
    expect(running.log.split('\n').length).toBeGreaterThan(10);
    expect(canariesIn(running.log + running.printed, [...CANARIES, ...bankCanaries])).toEqual([]);
    // Traces leave the installation. All of them have arrived by now.
    expect(collector.spans.length).toBeGreaterThan(100);
    expect(canariesIn(collector.text, [...CANARIES, ...bankCanaries])).toEqual([]);
  });

  // Proves that there was personal data to find.
  itEmbedded("is stored sealed with the person's key", async () => {
    const { running } = underTest;
    const log = await readLog(running.dataDirectory);
    const personalData = openSqlitePersonalData({ directory: running.dataDirectory });
    const open = async (sealed: Sealed[]) => Promise.all(sealed.map((one) => personalData.open(one)));
    const deposits = ofType<DepositCreated['data']>(log, 'DepositCreated').map(
      ({ data }) => data.coordinates as PixCoordinates,
    );
    expect(await open(deposits.map((one) => one.sourceTaxId))).toEqual([HOLDER.taxId, HOLDER.taxId, STRANGER.taxId]);
    expect((await open(deposits.map((one) => one.sourceLegalName))).slice(0, 2)).toEqual([HOLDER.name, HOLDER.name]);
    expect(await open([deposits[0]?.sourceAccountNumber ?? 'sealed:v1:'])).toEqual(bankCanaries);
    const [registered] = ofType<{ number: Sealed }>(log, 'BankAccountRegistered').slice(-1);
    expect(await open([registered?.data.number ?? 'sealed:v1:'])).toEqual([HOLDER.bankAccount]);
    expect(ofType<DepositVoided['data']>(log, 'DepositVoided')).toHaveLength(1);
    await personalData.close();
  });

  it('would be found by the search in every form', () => {
    const [word = ''] = HOLDER.name.split(' ');
    for (const text of [
      word,
      `x${word.toUpperCase()}`,
      '390.533.447-05',
      Buffer.from(`{"a":"${word}"}`).toString('base64'),
      Buffer.from(word).toString('hex'),
    ]) {
      expect(canariesIn(`before ${text} after`, CANARIES)).not.toEqual([]);
    }
    expect(canariesIn('nothing of it', CANARIES)).toEqual([]);
  });
});
