import { cpfOf } from '../../../../onboarding/src/testing/people';
import type { WebhookReceiver } from '../../demo/webhook-receiver';
import { startWebhookReceiver } from '../../demo/webhook-receiver';
import { readLog } from '../testing/trial-balance';
import { filesIn, givenAway } from '../testing/canaries';
import type { Json } from '../testing/client';
import { Client } from '../testing/client';
import { freePort } from '@ponte/testing';
import { Customer } from '../testing/customer';
import type { Running } from '../testing/program';
import { CLUSTERED, Program, SIMULATED, SUITE_MS } from '../testing/program';
import { signInStaff } from '../testing/staff';
import { until } from '../testing/waiting';

jest.setTimeout(SUITE_MS);

// Values that occur nowhere else. If one shows up in clear text, it is a leak of one of these people's data.
const HOLDER = {
  cpf: cpfOf(733_194_285),
  firstName: 'Quixotilda',
  lastName: 'Brzezinska',
  email: 'quixotilda@zwitscher.example',
  phone: '+55 31 98887-1717',
  mother: 'Ermengundis Wolfensbrandt',
  birth: '1971-03-29',
  line1: 'Travessa Xilindrau 4711',
  line2: 'bloco Zzyzx',
  city: 'Pindorama do Xingu',
  postalCode: '69945-123',
  session: 'session-of-quixotilda',
  role: 'vereadora de Xanxerilda',
  custodian: 'Zustodia Kanarienvogel SA',
};
const REPRESENTATIVE = {
  cpf: cpfOf(288_471_965),
  firstName: 'Wolfgangus',
  lastName: 'Xerxesbrandt',
  birth: '1966-11-23',
  line1: 'Alameda Yggdrasil 90210',
  city: 'Ituverava do Zabumba',
  postalCode: '87654-321',
};
const RELIED_ON = { passport: 'ZX9917364Q', attestation: 'attestation-of-zenobiusz' };
/** A person who is mentioned only in requests that are refused. */
const REJECTED_PERSON = {
  cpf: cpfOf(961_358_741),
  firstName: 'Cunegundes',
  lastName: 'Ypsilantis',
  email: 'cunegundes@kanarek.example',
  phone: '+55 92 97775-3131',
  mother: 'Brunhilda Quasimoda',
  birth: '1959-09-19',
  line1: 'Beco Ornitorrinco 31337',
};
const NOTES = {
  partner: 'prefere ser chamada Zezinha',
  staff: 'a tia Hildegarda telefonou',
  view: 'o neto Sigismundo perguntou',
};
const FILE_NAME = 'passaporte-da-quixotilda-brzezinska.png';
const CANARIES = [
  ...new Set(
    [HOLDER, REPRESENTATIVE, RELIED_ON, REJECTED_PERSON, NOTES]
      .flatMap((one) => Object.values(one))
      .concat(FILE_NAME, 'Zarathustrina'),
  ),
];

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const REQUESTS = '/api/v1/accounts/kyc/individual';

interface Asked extends Json {
  readonly id: string;
  readonly 'account-id': string;
  readonly status: string;
  readonly 'review-stage': string | null;
}
interface Envelope {
  readonly 'account-request': Asked;
}

let program: Program;
let running: Running;
let partner: Client;
let reliance: Client;
let staff: Record<string, Client>;
let managementPort = 0;
let receiver: WebhookReceiver;
let holder: Json;
/**
 * Texts that must not contain personal data, above all responses to partners. Staff may see the person, but a partner
 * does not even get back what it sent.
 */
const said: [string, string][] = [];

beforeAll(async () => {
  program = await Program.build();
  running = await program.start(program.dataFolder(), {
    ...SIMULATED,
    PONTE_LOG_LEVEL: 'trace',
    MANAGEMENT_PORT: String((managementPort = await freePort())),
  });
  const {
    'base-url': baseUrl,
    'api-key': apiKey,
    'account-id': accountId,
    'reliance-api-key': relianceKey,
    staff: people,
  } = running.sandbox;
  [partner, reliance] = [Client.bearer(baseUrl, apiKey), Client.bearer(baseUrl, relianceKey)];
  staff = Object.fromEntries(
    await Promise.all(people.map(async (one) => [one.name, await signInStaff(baseUrl, one)] as const)),
  );
  receiver = await startWebhookReceiver();
  receiver.useSecret(await new Customer(partner, accountId).listen(receiver.url));
});
afterAll(async () => {
  await Promise.all([partner, reliance, ...Object.values(staff)].map((client) => client.close()));
  await program.close();
  await receiver.close();
});

const heard = (what: string, text: string): string => (said.push([what, text]), text);
const by = (name: string): Client => staff[name] ?? partner;

async function upload(purpose: string): Promise<string> {
  const { text, body } = await partner.send<{ file: { id: string } }>('POST', '/api/v1/accounts/files', {
    'content-base64': PNG,
    'file-name': FILE_NAME,
    purpose,
  });
  heard('a file', text);
  return body.file.id;
}

const address = (
  one: { readonly line1: string; readonly postalCode: string; readonly city: string },
  line2 = '',
): Json => ({ 'postal-code': one.postalCode, line1: one.line1, line2, city: one.city, state: 'SP', country: 'BRA' });

async function everything(): Promise<Json> {
  return {
    identifier: { value: HOLDER.cpf, country: 'BRA' },
    'tax-residence': 'BRA',
    'reward-tier': 97,
    'first-name': HOLDER.firstName,
    'last-name': HOLDER.lastName,
    email: HOLDER.email,
    phone: HOLDER.phone,
    'date-of-birth': HOLDER.birth,
    'mother-full-name': HOLDER.mother,
    address: address(HOLDER, HOLDER.line2),
    document: { type: 'cnh', 'front-file-id': await upload('document-front') },
    liveness: { id: HOLDER.session, provider: 'provider-1' },
    pep: { declared: true, 'full-name': 'Zarathustrina Brzezinska', role: HOLDER.role, relationship: 'self' },
    'financial-profile': { sector: 'other', currency: 'BRL', 'monthly-income': 8517.25, 'source-of-funds': ['salary'] },
    representative: {
      'first-name': REPRESENTATIVE.firstName,
      'last-name': REPRESENTATIVE.lastName,
      'date-of-birth': REPRESENTATIVE.birth,
      identifier: { value: REPRESENTATIVE.cpf, country: 'BRA' },
      'tax-residence': 'BRA',
      address: address(REPRESENTATIVE),
      document: { type: 'cnh', 'front-file-id': await upload('document-front') },
      pep: { declared: false },
      'power-of-attorney-file-id': await upload('power-of-attorney'),
    },
    'external-wallets': [
      {
        address: '0x00000000000000000000000000000000000000c1',
        'custody-type': 'exchange',
        'custody-country': 'BRA',
        'custodian-name': HOLDER.custodian,
      },
    ],
  };
}

const stands = (client: Client, id: string, requested: (one: Asked) => boolean): Promise<Asked> =>
  until(async () => {
    const { 'account-request': request } = await client.get<Envelope>(`${REQUESTS}/${id}`);
    heard('a request', JSON.stringify(request));
    if (!requested(request)) throw new Error(`it is ${request.status}, ${String(request['review-stage'])}`);
    return request;
  });
const waitsForStaff = (id: string) => stands(partner, id, (one) => one['review-stage'] === 'manual-review');
const work = (name: string, id: string, verb: string, body: Json = {}) =>
  by(name).post<Json>(`/staff/v1/account-requests/${id}/${verb}`, body);

/** Finds the places that contain personal values in clear text. */
const leaksIn = (places: readonly (readonly [string, string])[]) =>
  places.map(([place, text]) => [place, givenAway(text, CANARIES)] as const).filter(([, found]) => found.length > 0);

describe('personal data in a complete onboarding', () => {
  let id: string;

  it('is received, read, requested again and decided on, and appears nowhere in clear text', async () => {
    holder = await everything();
    const posted = await partner.send<Envelope>('POST', REQUESTS, holder);
    expect([posted.status, heard('the answer', posted.text)]).toEqual([201, expect.any(String)]);
    id = posted.body['account-request'].id;
    await waitsForStaff(id);
    const { case: shown } = await by('analyst').post<{ case: { holder: Json; representative: Json } }>(
      `/staff/v1/account-requests/${id}/case`,
      { purpose: 'review', note: NOTES.view },
    );
    expect([shown.holder, shown.representative]).toMatchObject([
      { 'first-name': HOLDER.firstName },
      { 'first-name': REPRESENTATIVE.firstName },
    ]);
    await work('analyst', id, 'ask-information', {
      items: ['document'],
      issues: ['document-quality'],
      note: NOTES.staff,
    });
    await stands(partner, id, (one) => one['review-stage'] === 'information-requested');
    heard(
      'information',
      (
        await partner.send('POST', `${REQUESTS}/${id}/information`, {
          document: { type: 'cnh', 'front-file-id': await upload('document-front') },
          note: NOTES.partner,
        })
      ).text,
    );
    await waitsForStaff(id);
    await work('approver-1', id, 'approve', { note: NOTES.staff });
    await work('approver-2', id, 'approve', { note: NOTES.staff });
    await stands(partner, id, (one) => one.status === 'active');
    await until(() => {
      if (!receiver.verified.some((one) => one['event-type'] === 'account-approved'))
        throw new Error('no account-approved webhook arrived');
    });
  });

  it('of a reliance request is received as well', async () => {
    const answer = await reliance.send<Envelope>('POST', '/api/v1/accounts/reliance', {
      identifier: { value: RELIED_ON.passport, country: 'POL' },
      'tax-document-type': 'passport',
      'tax-residence': 'POL',
      'kyc-attestation-id': RELIED_ON.attestation,
      'reward-tier': 90,
    });
    expect([answer.status, heard('reliance', answer.text)]).toEqual([201, expect.any(String)]);
  });

  it('is not in the privacy report or in the responses to an erasure', async () => {
    const { text, status } = await by('auditor').send(
      'GET',
      `/staff/v1/account-requests/${id}/privacy-report?purpose=privacy-request`,
    );
    expect([status, heard('the report', text)]).toEqual([200, expect.stringContaining('analyst')]);
    const { 'erasure-preparation': prepared } = await by('approver-1').post<{
      'erasure-preparation': { token: string; 'confirm-with': string };
    }>('/staff/v1/erasures/preparation', { 'account-request-id': id });
    expect(
      (
        await by('approver-1').send('POST', '/staff/v1/erasures', {
          token: prepared.token,
          typed: `${REJECTED_PERSON.firstName} ${REJECTED_PERSON.lastName}`,
        })
      ).status,
    ).toBe(422);
    heard(
      'the erasure',
      JSON.stringify(
        await by('approver-1').post('/staff/v1/erasures', { token: prepared.token, typed: prepared['confirm-with'] }),
      ),
    );
  });

  it('is not repeated in any refusal, to partners or to staff', async () => {
    const { cpf, firstName, lastName, email, phone, mother, birth, line1 } = REJECTED_PERSON;
    const invalid: Json = {
      ...holder,
      identifier: { value: cpf, country: 'BRA' },
      'first-name': firstName,
      'last-name': lastName,
      email,
      phone,
      'date-of-birth': birth,
      'mother-full-name': mother,
    };
    const wrong: Json[] = [
      { ...invalid, identifier: { value: `${cpf}1`, country: 'BRA' } },
      { ...invalid, identifier: { value: cpf, country: firstName } },
      { ...invalid, 'date-of-birth': firstName },
      { ...invalid, phone: email, email: phone },
      { ...invalid, 'external-id': cpf },
      { ...invalid, 'external-id': `of-${lastName}` },
      { ...invalid, address: line1, document: { type: mother }, pep: email },
      { ...invalid, 'external-wallets': [line1] },
      {
        ...invalid,
        'external-wallets': [
          { address: `0x${'a'.repeat(40)}`, 'custody-type': 'self', proof: { message: firstName, signature: cpf } },
        ],
      },
      { ...invalid, liveness: { id: mother, provider: lastName } },
      { ...invalid, document: { type: 'cnh', 'front-file-id': cpf } },
      { ...invalid, [email]: cpf },
      { ...invalid, 'reward-tier': cpf },
      { ...invalid, representative: { 'first-name': firstName } },
    ];
    for (const body of wrong) {
      const { status, text } = await partner.send('POST', REQUESTS, body);
      expect([status >= 400 && status < 500, heard('a refusal', text)]).toEqual([true, expect.any(String)]);
    }
    const others: [Client, string, string, Json?][] = [
      [
        partner,
        'POST',
        '/api/v1/accounts/files',
        {
          'content-base64': Buffer.from(`${firstName} ${lastName}`).toString('base64'),
          'file-name': `${firstName}.png`,
          purpose: 'other',
        },
      ],
      [partner, 'POST', '/api/v1/accounts/files', { 'content-base64': PNG, purpose: mother }],
      [partner, 'GET', `${REQUESTS}/${cpf}`],
      [partner, 'POST', `${REQUESTS}/${encodeURIComponent(email)}/cancel`, {}],
      [partner, 'POST', `${REQUESTS}/${id}/information`, { note: 1, document: { type: mother, 'front-file-id': cpf } }],
      [
        reliance,
        'POST',
        '/api/v1/accounts/reliance',
        { identifier: { value: cpf, country: lastName }, 'tax-document-type': mother },
      ],
      [partner, 'POST', `/api/v1/sandbox/account-requests/${cpf}/decision`, { decision: firstName, reason: lastName }],
      [by('analyst'), 'POST', `/staff/v1/account-requests/${cpf}/case`, { purpose: 'review', note: mother }],
      [by('analyst'), 'POST', `/staff/v1/account-requests/${id}/case`, { purpose: mother, note: cpf }],
      [by('analyst'), 'POST', `/staff/v1/account-requests/${id}/reject`, { reason: lastName, note: mother }],
      [by('analyst'), 'GET', `/staff/v1/account-requests?partner=${cpf}&stage=${firstName}`],
      [by('analyst'), 'GET', `/staff/v1/account-requests/${id}/files/${cpf}?purpose=review`],
      [by('approver-1'), 'POST', '/staff/v1/erasures/preparation', { 'account-request-id': email }],
      [by('operator'), 'POST', `/staff/v1/accounts/${cpf}/whitelisted-wallets`, { address: firstName }],
      [by('analyst'), 'POST', '/staff/v1/session', { name: email, password: mother }],
    ];
    for (const [client, method, path, body] of others) {
      const { status, text } = await client.send(method, path, body);
      expect([path, status >= 400 && status < 500, heard('a refusal', text)]).toEqual([path, true, expect.any(String)]);
    }
  });

  it('is in no response, refusal, webhook or metric', async () => {
    // Each process of a cluster has its own management port. The embedded cluster has one for all services.
    if (!CLUSTERED) {
      const metrics = await (await fetch(`http://127.0.0.1:${managementPort}/metrics`)).text();
      expect(heard('metrics', metrics)).toContain('ponte_gateway_request_seconds');
    }
    heard('webhooks', JSON.stringify(receiver.verified));
    expect(said.length).toBeGreaterThan(40);
    expect(leaksIn(said)).toEqual([]);
  });

  it('is in no file of the stores, broker or blobs, in no event and in no trace-level log line', async () => {
    expect(leaksIn(filesIn(running.dataDirectory).map(({ name, text }) => [name, text]))).toEqual([]);
    await running.stop();
    expect(leaksIn(filesIn(running.dataDirectory).map(({ name, text }) => [name, text]))).toEqual([]);
    const log = await readLog(running.dataDirectory);
    expect(log.map(({ type }) => type)).toEqual(
      expect.arrayContaining([
        'AccountRequested',
        'ReviewDecided',
        'PersonalDataViewed',
        'EvidenceFileUploaded',
        'PersonRestricted',
      ]),
    );
    expect(leaksIn(log.map((event) => [event.type, JSON.stringify(event)]))).toEqual([]);
    expect(
      leaksIn([
        ['lines', running.log],
        ['printed', running.printed],
      ]),
    ).toEqual([]);
  });
});
