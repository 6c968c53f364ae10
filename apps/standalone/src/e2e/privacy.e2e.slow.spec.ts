import { openSqlitePersonalData } from '@ponte/eventstore-sqlite';
import type { DepositCreated, DepositVoided, PixCoordinates } from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import { OtlpCollector } from '@ponte/testing';
import type { ReceivedWebhook, WebhookReceiver } from '../demo/webhook-receiver';
import { startWebhookReceiver } from '../demo/webhook-receiver';
import { ofType, readLog } from './testing/trial-balance';
import { filesIn, givenAway } from './testing/canaries';
import { Client } from './testing/client';
import type { PaidPix } from './testing/customer';
import { Customer } from './testing/customer';
import { Operator } from './testing/operator';
import type { Running } from './testing/program';
import { CLUSTERED, itEmbedded, Program, SIMULATED, SUITE_MS } from './testing/program';
import { until } from './testing/waiting';

jest.setTimeout(SUITE_MS);

// Values that occur nowhere else. If one shows up in clear text, it is a leak of the person's data.
const HOLDER = { name: 'Zebulonia Quixaramobim', taxId: '39053344705', bankAccount: '987654321-0' };
const STRANGER = { taxId: '74185296355' };
/** A person who is mentioned only in requests that are refused. */
const PAYER = { name: 'Wolfgangus Xerxesbrandt', taxId: '96325874137', bankAccount: '192837465-5' };
const WORDS = [HOLDER.name, PAYER.name].flatMap((name) => [name, ...name.split(' ')]);
const CANARIES = [...WORDS, HOLDER.taxId, HOLDER.bankAccount, STRANGER.taxId, PAYER.taxId, PAYER.bankAccount];

let program: Program;
let running: Running;
let collector: OtlpCollector;
let operator: Operator;
let customer: Customer;
let partner: Client;
let own: WebhookReceiver;
let parents: WebhookReceiver;
/**
 * The account numbers that the simulated bank generated for payers. Only the holder's own number is disclosed, and only
 * to the holder.
 */
let bankCanaries: string[] = [];
const errors: string[] = [];

beforeAll(async () => {
  program = await Program.build();
  collector = await OtlpCollector.start();
  running = await program.start(program.dataFolder(), {
    ...SIMULATED,
    PONTE_LOG_LEVEL: 'trace',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
  });
  [own, parents] = [await startWebhookReceiver(), await startWebhookReceiver()];
  const { 'account-id': parentId, 'api-key': apiKey, 'base-url': baseUrl } = running.sandbox;
  operator = Operator.of(running);
  partner = Client.bearer(baseUrl, apiKey);
  const accountId = await operator.openAccount({
    alias: 'a customer',
    'legal-name': HOLDER.name,
    'tax-id': HOLDER.taxId,
    'parent-id': parentId,
    'bank-account': { 'bank-code': '001', 'branch-number': '1234', 'account-number': HOLDER.bankAccount },
  });
  customer = new Customer(Client.bearer(baseUrl, await operator.bearerKey(accountId, 'read-write')), accountId);
  own.useSecret(await customer.listen(own.url));
  parents.useSecret(await new Customer(partner, parentId).listen(parents.url));
});
afterAll(async () => {
  await Promise.all([customer.api, partner, operator.api].map((client) => client.close()));
  await program.close();
  await Promise.all([own, parents, collector].map((receiver) => receiver.close()));
});

const about = (receiver: WebhookReceiver, type: string): ReceivedWebhook => {
  const event = receiver.verified.find((one) => one['event-type'] === type);
  if (!event) throw new Error(`no ${type} webhook has arrived`);
  return event;
};

describe('personal data in transit', () => {
  it('is used by a deposit, an order from the balance and one by brcode', async () => {
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
    for (const receiver of [own, parents]) {
      const deposit = await until(() => about(receiver, 'deposit-processed'));
      expect(Object.keys(deposit).sort()).toEqual([
        'account-id',
        'api-version',
        'event-id',
        'event-type',
        'occurred-at',
        'payload',
        'previous-state',
        'resource-id',
        'resource-type',
        'sequence',
      ]);
      expect(Object.keys(deposit.payload)).toEqual([
        'deposit-id',
        'account-id',
        'amount',
        'status',
        'deposit-type',
        'processed-at',
        'source-legal-name',
        'source-tax-id',
        'source-bank-code',
        'source-branch-code',
        'source-account-number',
      ]);
      expect(deposit.payload).toMatchObject({
        'account-id': customer.accountId,
        amount: '100.00',
        'source-legal-name': HOLDER.name,
        'source-tax-id': HOLDER.taxId,
      });
      const order = await until(() => about(receiver, 'order-completed'));
      expect(Object.keys(order.payload)).toEqual([
        'order-id',
        'account-id',
        'created-by',
        'created-by-api-key',
        'source-asset',
        'target-asset',
        'source-amount',
        'target-amount',
        'effective-rate',
        'completed-at',
        'tx-hash',
        'tx-timestamp',
        'target-wallet-address',
      ]);
      expect(givenAway(JSON.stringify(order), CANARIES)).toEqual([]);
    }
    bankCanaries = [String(about(own, 'deposit-processed').payload['source-account-number'])];
  });

  it('of the sender of a refused payment is disclosed to no one', async () => {
    const { 'pix-payment': paid } = await partner.post<PaidPix>('/api/v1/sandbox/pix-payments', {
      'account-id': customer.accountId,
      amount: '9.00',
      'payer-tax-id': STRANGER.taxId,
    });
    const deposit = await customer.deposited(paid['end-to-end-id'], 'voided');
    expect(givenAway(JSON.stringify(deposit), CANARIES)).toEqual([]);
    for (const receiver of [own, parents]) {
      const { payload } = await until(() => about(receiver, 'deposit-voided'));
      expect(payload).toMatchObject({
        'source-legal-name': '***',
        'source-tax-id': expect.stringMatching(/^\*{3}\.\d{3}\.\d{3}-\*{2}$/) as string,
        'source-branch-code': '***',
        'source-account-number': '***',
      });
      expect(givenAway(JSON.stringify(payload), CANARIES)).toEqual([]);
    }
  });

  it('is not repeated in any error', async () => {
    const { name, taxId, bankAccount } = PAYER;
    const person = { alias: 'payer', 'legal-name': name, 'tax-id': taxId };
    const bank = { 'bank-code': '001', 'branch-number': '1', 'account-number': bankAccount };
    const wrongDigits = `${taxId.slice(0, 10)}8`;
    const staff: [string, object | string][] = [
      ['/staff/accounts', { ...person, 'tax-id': wrongDigits }],
      ['/staff/accounts', { ...person, alias: `about ${name}` }],
      ['/staff/accounts', { ...person, 'external-id': taxId }],
      ['/staff/accounts', { ...person, 'parent-id': name }],
      ['/staff/accounts', { ...person, 'onboarding-mode': taxId }],
      ['/staff/accounts', { ...person, 'bank-account': { ...bank, 'branch-number': name } }],
      ['/staff/accounts', { ...person, capabilities: [name] }],
      ['/staff/accounts', `{"legal-name":"${name}","tax-id":"${taxId}"`],
      [`/staff/accounts/${taxId}/capabilities`, { grant: ['international-travels'] }],
      [`/staff/accounts/${customer.accountId}/api-keys`, { name: 'x', access: name, 'public-key': taxId }],
      [
        `/staff/accounts/${customer.accountId}/api-keys`,
        { name: 'x', algorithm: 'ES256', 'public-key': `-----BEGIN PRIVATE KEY-----\n${name} ${taxId}` },
      ],
      [`/staff/accounts/${customer.accountId}/api-keys`, { name: 'x', bearer: true, 'ip-allowlist': [bankAccount] }],
      [`/staff/accounts/${customer.accountId}/capabilities`, { grant: [name], revoke: [bankAccount] }],
      [`/staff/accounts/${customer.accountId}/whitelisted-wallets`, { address: name }],
      [`/staff/api-keys/${encodeURIComponent(name)}/revoke`, { reason: 'rotated' }],
    ];
    const partners: [string, string, (object | string)?][] = [
      [
        'POST',
        '/api/v1/sandbox/pix-payments',
        { 'account-id': customer.accountId, amount: '1.00', 'payer-tax-id': wrongDigits },
      ],
      ['POST', '/api/v1/sandbox/pix-payments', { brcode: `${name} ${taxId}`, amount: '1.00' }],
      ['POST', '/api/v1/sandbox/pix-payments', { 'account-id': taxId, amount: name }],
      [
        'POST',
        customer.path('/quotes'),
        { 'source-asset': name, 'target-asset': taxId, 'source-amount': bankAccount, 'rate-lock': name },
      ],
      [
        'POST',
        customer.path('/orders'),
        { 'quote-id': taxId, 'target-wallet-address': name, 'source-payment-method': bankAccount },
      ],
      [
        'POST',
        customer.path('/webhook-endpoints'),
        { url: `http://${taxId}:pass@example.com/${taxId}`, 'event-types': [name] },
      ],
      ['GET', `/api/v1/accounts/${taxId}`],
      ['GET', `/api/v1/accounts/${encodeURIComponent(name)}/orders`],
      ['GET', customer.path(`/orders/${taxId}`)],
      [
        'GET',
        customer.path(`/assets/brl/deposits?cursor=${taxId}&status=${encodeURIComponent(name)}&limit=${bankAccount}`),
      ],
      ['GET', customer.path(`/assets/${taxId}/balance`)],
      ['GET', `/${taxId}`],
      ['PUT', customer.path('/orders'), { name }],
    ];
    for (const [path, body] of staff) errors.push((await operator.api.send('POST', path, body as string)).text);
    for (const [method, path, body] of partners) errors.push((await partner.send(method, path, body as string)).text);
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
      expect(givenAway(error, CANARIES)).toEqual([]);
    }
  });
});

describe('personal data at rest', () => {
  it('is in clear text in no file of a running cluster, not even in the books of the simulated bank', () => {
    const files = filesIn(running.dataDirectory);
    if (!CLUSTERED)
      expect(files.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['events.db', 'read-models.db', 'state.db', 'edge.db', 'pix-bank.db', 'sandbox.json']),
      );
    for (const { name, text } of files)
      expect([name, givenAway(text, [...CANARIES, ...bankCanaries])]).toEqual([name, []]);
  });

  it('is in no file, event, span or log line at level trace after the cluster has stopped', async () => {
    await running.stop();
    for (const { name, text } of filesIn(running.dataDirectory))
      expect([name, givenAway(text, [...CANARIES, ...bankCanaries])]).toEqual([name, []]);
    const log = await readLog(running.dataDirectory);
    for (const event of log)
      expect([event.type, givenAway(JSON.stringify(event), [...CANARIES, ...bankCanaries])]).toEqual([event.type, []]);
    expect(running.log.split('\n').length).toBeGreaterThan(10);
    expect(givenAway(running.log + running.printed, [...CANARIES, ...bankCanaries])).toEqual([]);
    // Traces leave the installation. All of them have arrived by now.
    expect(collector.spans.length).toBeGreaterThan(100);
    expect(givenAway(collector.text, [...CANARIES, ...bankCanaries])).toEqual([]);
  });

  // Proves that there was personal data to find.
  itEmbedded("is stored sealed with the person's key", async () => {
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
      expect(givenAway(`before ${text} after`, CANARIES)).not.toEqual([]);
    }
    expect(givenAway('nothing of it', CANARIES)).toEqual([]);
  });
});
