import 'reflect-metadata';
import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import type { LightMyRequestResponse } from 'fastify';
import type { ClearInformation, ClearKycRequest, ClearRelianceRequest } from '@ponte/contracts';
import {
  CreateAccountRequest,
  CreateRelianceRequest,
  DecideInSandbox,
  GetAccountRequest,
  openInTransit,
  ProvideInformation,
  RegisterEvidenceFile,
} from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import { refusal, refuse } from '@ponte/kernel';
import { UploadBudget } from '../../load-shedding/upload-budget';
import { HOLDER, requestRecord } from '../../testing/onboarding-fixtures';
import { KEY, PARTNER } from '../../testing/fixtures';
import type { Blobs } from '@ponte/event-sourcing';
import { BLOBS } from '@ponte/nest';
import { SAMPLE } from '../samples';
import { codeOf, useGateway } from '../../testing/use-gateway';
import { INFORMATION_EXAMPLE, KYC_EXAMPLE, RELIANCE_EXAMPLE } from './onboarding.examples';

const gateway = useGateway();

type Json = Record<string, unknown>;
interface Fault {
  readonly path: string;
  readonly code: string;
}

const KYC = '/api/v1/accounts/kyc/individual';
const RELIANCE = '/api/v1/accounts/reliance';
const FILES = '/api/v1/accounts/files';
const REQUEST = `${KYC}/${SAMPLE.requestId}`;
const key = { authorization: `Bearer ${KEY.partner}` };

const post = (url: string, body: unknown, headers: Json = {}) =>
  gateway.app.inject({
    method: 'POST',
    url,
    headers: { ...key, 'content-type': 'application/json', ...headers } as Record<string, string>,
    payload: JSON.stringify(body),
  });
const errorOf = (answer: LightMyRequestResponse) =>
  (answer.json() as { error: { code: string; details?: Fault[] } }).error;
const faultsOf = (answer: LightMyRequestResponse) =>
  (errorOf(answer).details ?? []).map(({ path, code }) => `${path} ${code}`);
const asked = (definition: { pattern: string }) => gateway.bus.askedOf(definition).at(-1)?.payload ?? {};
const opened = <T extends ClearKycRequest | ClearRelianceRequest | ClearInformation>(payload: Json) =>
  openInTransit<T>(gateway.engines.personalData, payload['body'] as Sealed);
const shown = (answer: LightMyRequestResponse) => (answer.json() as { 'account-request': Json })['account-request'];

const PERSON = {
  'first-name': 'Paulo',
  'last-name': 'Souza',
  'date-of-birth': '1980-01-31',
  identifier: { value: '111.444.777-35', country: 'bra' },
  'tax-residence': 'bra',
  address: KYC_EXAMPLE.address,
  document: { type: 'cnh', 'front-file-id': SAMPLE.fileId },
  pep: { declared: true, 'full-name': 'Ana Souza', role: 'mayor', relationship: 'business_associate' },
  'power-of-attorney-file-id': 'ev_01JD3F8M2K7Q9X4T6V8Z0A63B3',
};

describe('a request for an account', () => {
  it('leaves the edge sealed, as it was sent, for the account of the key', async () => {
    const answer = await post(KYC, {
      ...KYC_EXAMPLE,
      representative: PERSON,
      'external-wallets': [
        SAMPLE.wallet,
        {
          address: SAMPLE.wallet.toUpperCase().replace('X', 'x'),
          'custody-type': 'exchange',
          'custody-country': 'USA',
          'custodian-name': 'An Exchange',
        },
      ],
    });
    expect([answer.statusCode, shown(answer)]).toEqual([
      201,
      expect.objectContaining({
        id: SAMPLE.requestId,
        'parent-id': PARTNER,
        mode: 'kyc',
        status: 'pending',
        'review-stage': 'received',
        identifier: { value: '***.982.247-**', country: 'BRA' },
      }),
    ]);
    const payload = asked(CreateAccountRequest);
    expect(Object.keys(payload)).toEqual(['parentId', 'body']);
    expect([payload['parentId'], payload['body']]).toEqual([
      PARTNER,
      expect.stringMatching(/^sealed:v1:onboarding-transit:/),
    ]);
    const clear = await opened<ClearKycRequest>(payload);
    expect(clear).toMatchObject({
      identifier: { value: '529.982.247-25', country: 'BRA' },
      rewardTier: 90,
      firstName: 'Joana',
      motherFullName: 'Maria Lima',
      externalId: 'customer-4711',
      address: { postalCode: '01310-100', line2: '', state: 'SP' },
      document: { type: 'rg', frontFileId: SAMPLE.fileId },
      liveness: { provider: 'provider-1' },
      pep: { declared: false, fullName: null, role: null, relationship: null },
      financialProfile: { monthlyIncome: 8500.5, netWorth: 120000, sourceOfFunds: ['salary'] },
      representative: {
        firstName: 'Paulo',
        taxResidence: 'bra',
        document: { backFileId: null },
        pep: { declared: true, relationship: 'business_associate' },
        powerOfAttorneyFileId: 'ev_01JD3F8M2K7Q9X4T6V8Z0A63B3',
      },
    });
    expect(clear.externalWallets).toEqual([
      { address: SAMPLE.wallet, custodyType: 'self', custodyCountry: null, custodianName: null, proof: null },
      {
        address: expect.stringMatching(/^0x[0-9A-F]{40}$/) as string,
        custodyType: 'exchange',
        custodyCountry: 'USA',
        custodianName: 'An Exchange',
        proof: null,
      },
    ]);
  });

  it('"a repeated request is returned as-is with 200"', async () => {
    gateway.bus.on(CreateAccountRequest, async ({ parentId }) => ({
      created: false,
      request: requestRecord(parentId, await gateway.engines.personalData.seal(HOLDER, '***'), {
        status: 'active',
        reviewStage: null,
      }),
    }));
    const answer = await post(KYC, KYC_EXAMPLE);
    expect([answer.statusCode, shown(answer)['status'], shown(answer)['review-stage']]).toEqual([
      200,
      'active',
      undefined,
    ]);
  });

  it('in reliance mode, at both paths, which are one operation for an idempotency key', async () => {
    const first = await post(RELIANCE, RELIANCE_EXAMPLE, { 'idempotency-key': 'r-1' });
    const again = await post('/v1/accounts/reliance', RELIANCE_EXAMPLE, { 'idempotency-key': 'r-1' });
    expect([first.statusCode, again.statusCode, again.body, again.headers['idempotency-replayed']]).toEqual([
      201,
      201,
      first.body,
      'true',
    ]);
    expect(await opened<ClearRelianceRequest>(asked(CreateRelianceRequest))).toEqual({
      identifier: { value: '529.982.247-25', country: 'BRA' },
      taxDocumentType: 'cpf',
      taxResidence: 'BRA',
      kycAttestationId: 'attestation-2026-0042',
      rewardTier: 90,
      externalWallets: [],
      externalId: 'customer-4711',
    });
  });

  it('answers with the status of the catalogue and every violation of the rules', async () => {
    const violations = [
      { path: 'identifier.value', code: 'invalid-cpf', message: 'x' },
      { path: 'address.state', code: 'state-required', message: 'y' },
    ];
    const codes: string[] = [];
    for (const error of [
      refusal('reliance-mode-parent', 'no'),
      refusal('missing-capability', 'no', 'reward-tier'),
      refusal('account-request-not-pending', 'no'),
      refusal('invalid-cpf', 'no'),
    ]) {
      gateway.bus.on(CreateAccountRequest, () => {
        throw error;
      });
      codes.push(codeOf(await post(KYC, KYC_EXAMPLE)));
    }
    expect(codes).toEqual([
      '403 reliance-mode-parent',
      '403 missing-capability',
      '422 account-request-not-pending',
      '422 invalid-cpf',
    ]);
    gateway.bus.on(CreateAccountRequest, () => {
      throw Object.assign(refusal('invalid-cpf', 'x'), { violations });
    });
    expect(faultsOf(await post(KYC, KYC_EXAMPLE))).toEqual([
      'identifier.value invalid-cpf',
      'address.state state-required',
    ]);
  });

  it('is read, informed and cancelled by its id; a malformed or absent one is not there', async () => {
    const get = (id: string) => gateway.app.inject({ url: `${KYC}/${id}`, headers: key });
    expect(shown(await get(SAMPLE.requestId))['id']).toBe(SAMPLE.requestId);
    expect(shown(await get(SAMPLE.requestId.toUpperCase()))['id']).toBe(SAMPLE.requestId);
    for (const id of ['x', SAMPLE.orderId, `${SAMPLE.requestId.toUpperCase()}0`]) {
      expect(codeOf(await get(id))).toBe('404 account-request-not-found');
      expect(codeOf(await post(`${KYC}/${id}/cancel`, {}))).toBe('404 account-request-not-found');
      expect(codeOf(await post(`${KYC}/${id}/information`, INFORMATION_EXAMPLE))).toBe('404 account-request-not-found');
      expect(codeOf(await post(`/api/v1/sandbox/account-requests/${id}/decision`, { decision: 'approve' }))).toBe(
        '404 account-request-not-found',
      );
    }
    await post(`${REQUEST}/information`, {
      ...INFORMATION_EXAMPLE,
      'other-file-ids': [SAMPLE.fileId],
      note: 'one\ntwo',
    });
    expect(await opened<ClearInformation>(asked(ProvideInformation))).toEqual({
      address: null,
      document: { type: 'cnh', frontFileId: SAMPLE.fileId, backFileId: null },
      liveness: null,
      representativeAddress: null,
      representativeDocument: null,
      powerOfAttorneyFileId: null,
      otherFileIds: [SAMPLE.fileId],
      note: 'one\ntwo',
    });
  });

  it('the sandbox decides: a reason and what is asked for go with their decision alone', async () => {
    const decide = (body: object) => post(`/api/v1/sandbox/account-requests/${SAMPLE.requestId}/decision`, body);
    const answer = await decide({ decision: 'reject', reason: 'document-quality' });
    expect([answer.statusCode, shown(answer)['status'], shown(answer)['reason']]).toEqual([
      200,
      'rejected',
      'document-quality',
    ]);
    await decide({ decision: 'ask-information', items: ['address', 'other'] });
    expect(asked(DecideInSandbox)).toEqual({
      parentId: PARTNER,
      requestId: SAMPLE.requestId,
      decision: 'ask-information',
      reason: null,
      items: ['address', 'other'],
    });
    expect(faultsOf(await decide({ decision: 'approve', reason: 'duplicate', items: ['other'] }))).toEqual([
      'reason unknown-field',
      'items unknown-field',
    ]);
    expect(faultsOf(await decide({ decision: 'escalate', reason: 'sanctions', items: [] }))).toEqual([
      'decision invalid-enum-value',
      'reason invalid-enum-value',
      'items invalid-format',
    ]);
  });

  it('shows what applies and leaves out what does not; an erased person is erased', async () => {
    const failure = { code: 'chain-unavailable', message: 'away', retryable: true };
    gateway.bus.on(GetAccountRequest, async ({ parentId }) =>
      requestRecord(parentId, await gateway.engines.personalData.seal('a-person', '***1'), {
        status: 'provisioning-failed',
        reviewStage: null,
        failure,
        informationDueAt: SAMPLE.later,
      }),
    );
    const before = shown(await gateway.app.inject({ url: REQUEST, headers: key }));
    expect(before).toMatchObject({ failure, 'information-due-at': SAMPLE.later });
    expect(before).not.toHaveProperty('reason');
    const sealed = await gateway.engines.personalData.seal('a-person', '***1');
    gateway.bus.on(GetAccountRequest, ({ parentId }) => requestRecord(parentId, sealed));
    await gateway.engines.personalData.erase('a-person');
    expect(shown(await gateway.app.inject({ url: REQUEST, headers: key }))['identifier']).toEqual({
      value: '[erased]',
      country: 'BRA',
    });
  });
});

describe('the shape of a request: 400, with every violation at once and nothing asked of a service', () => {
  const without = (body: Json, ...names: string[]) =>
    Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
  const kyc: Json = { ...KYC_EXAMPLE };
  const address: Json = { ...KYC_EXAMPLE.address };
  const REQUIRED = [
    'identifier',
    'tax-residence',
    'reward-tier',
    'first-name',
    'last-name',
    'email',
    'phone',
    'date-of-birth',
    'mother-full-name',
    'address',
    'document',
    'liveness',
    'pep',
    'financial-profile',
  ];

  it.each<[string, string, unknown, string[]]>([
    ['nothing', KYC, {}, REQUIRED.map((name) => `${name} missing-field`)],
    ['no optional member', KYC, { ...without(kyc, ...REQUIRED) }, REQUIRED.map((name) => `${name} missing-field`)],
    [
      'extra members, at every depth',
      KYC,
      {
        ...kyc,
        status: 'active',
        identifier: { value: 'x', country: 'BRA', kind: 'cpf' },
        pep: { declared: false, x: 1 },
        'external-wallets': [{ address: '0x', name: 1 }],
      },
      [
        'identifier.kind unknown-field',
        'pep.x unknown-field',
        'external-wallets[0].name unknown-field',
        'status unknown-field',
      ],
    ],
    [
      'a tier as text, an infinite income',
      KYC,
      {
        ...kyc,
        'reward-tier': '90',
        'financial-profile': {
          sector: 'x',
          currency: 'EUR',
          'monthly-income': -1,
          'net-worth': '1',
          'source-of-funds': [],
        },
      },
      [
        'reward-tier invalid-type',
        'financial-profile.sector invalid-enum-value',
        'financial-profile.currency invalid-enum-value',
        'financial-profile.monthly-income invalid-format',
        'financial-profile.net-worth invalid-type',
        'financial-profile.source-of-funds invalid-format',
      ],
    ],
    ['an unknown tier', KYC, { ...kyc, 'reward-tier': 91 }, ['reward-tier invalid-enum-value']],
    [
      'dates that are none',
      KYC,
      { ...kyc, 'date-of-birth': '1990-02-30', representative: { ...PERSON, 'date-of-birth': '1990-5-1' } },
      ['date-of-birth invalid-format', 'representative.date-of-birth invalid-format'],
    ],
    [
      'a name that reads otherwise than it is',
      KYC,
      { ...kyc, 'first-name': 'Ana \u202egnp.exe', 'last-name': 'Li\u2067ma' },
      ['first-name invalid-format', 'last-name invalid-format'],
    ],
    [
      'names that say nothing',
      KYC,
      { ...kyc, 'first-name': ' ', 'last-name': '', 'mother-full-name': 'a\u0000b' },
      ['first-name invalid-format', 'last-name invalid-format', 'mother-full-name invalid-format'],
    ],
    ['addresses of mail that are none', KYC, { ...kyc, email: 'joana@' }, ['email invalid-format']],
    [
      'file ids that are none',
      KYC,
      { ...kyc, document: { type: 'rne', 'front-file-id': 'ev_abc', 'back-file-id': '../x' } },
      [
        'document.type invalid-enum-value',
        'document.front-file-id invalid-format',
        'document.back-file-id invalid-format',
      ],
    ],
    [
      'an unknown provider',
      KYC,
      { ...kyc, liveness: { id: 's', provider: 'provider-6' } },
      ['liveness.provider invalid-enum-value'],
    ],
    [
      'a postal code for its country, with the rest',
      KYC,
      {
        ...kyc,
        phone: 1,
        address: { ...address, 'postal-code': '1310' },
        representative: { ...PERSON, address: { ...address, 'postal-code': 'x' } },
      },
      ['phone invalid-type', 'address.postal-code invalid-format', 'representative.address.postal-code invalid-format'],
    ],
    [
      'an external id that gives the person away',
      KYC,
      { ...kyc, 'external-id': 'cust-52998224725' },
      ['external-id invalid-format'],
    ],
    [
      'an external id that is an e-mail address',
      KYC,
      { ...kyc, 'external-id': String(kyc['email']) },
      ['external-id invalid-format'],
    ],
    [
      'an external id with spaces',
      RELIANCE,
      { ...RELIANCE_EXAMPLE, 'external-id': 'a b' },
      ['external-id invalid-format'],
    ],
    [
      'half a representative',
      KYC,
      { ...kyc, representative: without(PERSON, 'pep', 'power-of-attorney-file-id') },
      ['representative.pep missing-field', 'representative.power-of-attorney-file-id missing-field'],
    ],
    [
      'a declared PEP with an unknown value',
      KYC,
      { ...kyc, pep: { declared: true, relationship: 'friend' } },
      ['pep.relationship invalid-enum-value'],
    ],
    [
      'wallets that are none',
      KYC,
      { ...kyc, 'external-wallets': [[], null, { 'custody-type': 'bank' }, { address: 'a', proof: {} }] },
      [
        'external-wallets[0] invalid-type',
        'external-wallets[1] invalid-type',
        'external-wallets[2].address missing-field',
        'external-wallets[2].custody-type invalid-enum-value',
        'external-wallets[3].proof.message missing-field',
        'external-wallets[3].proof.signature missing-field',
      ],
    ],
    [
      'more wallets than fifty',
      KYC,
      { ...kyc, 'external-wallets': Array.from({ length: 51 }, () => SAMPLE.wallet) },
      ['external-wallets invalid-format'],
    ],
    ['wallets that are an object', KYC, { ...kyc, 'external-wallets': {} }, ['external-wallets invalid-type']],
    [
      'wallets that are no list',
      RELIANCE,
      { ...RELIANCE_EXAMPLE, 'external-wallets': SAMPLE.wallet },
      ['external-wallets invalid-type'],
    ],
    [
      'members of the other mode',
      RELIANCE,
      { ...RELIANCE_EXAMPLE, email: 'a@b.c', 'tax-document-type': 'rg' },
      ['tax-document-type invalid-enum-value', 'email unknown-field'],
    ],
    ['a list', KYC, [KYC_EXAMPLE], [' invalid-type']],
    ['no information', `${REQUEST}/information`, {}, [' missing-field']],
    [
      'wrong information',
      `${REQUEST}/information`,
      { address: { ...address, 'postal-code': '1' }, 'other-file-ids': ['x', SAMPLE.fileId], note: 7 },
      ['other-file-ids[0] invalid-format', 'note invalid-type', 'address.postal-code invalid-format'],
    ],
    ['a body for a cancellation', `${REQUEST}/cancel`, { why: 'x' }, ['why unknown-field']],
  ])('%s', async (_, url, body, faults) => {
    const before = gateway.bus.asked.length;
    const answer = await post(url, body);
    expect([answer.statusCode, faultsOf(answer)]).toEqual([400, faults]);
    expect(gateway.bus.asked.slice(before).filter(({ pattern }) => pattern.includes('command'))).toEqual([]);
  });

  it.each<[string, Json]>([
    [
      'texts that the rules judge',
      {
        identifier: { value: '', country: 'zz' },
        'tax-residence': '',
        phone: '1'.repeat(33),
        address: { ...KYC_EXAMPLE.address, country: 'PRT', state: '', 'postal-code': '1000' },
      },
    ],
    ['a declared PEP without details', { pep: { declared: true, 'full-name': ' ' } }],
    [
      'whatever comes with a PEP that is not declared',
      { pep: { declared: false, 'full-name': null, role: 7, relationship: '' } },
    ],
    ['wallets that are none, as text', { 'external-wallets': ['0x12', ''] }],
    ['a tier of 93.5', { 'reward-tier': 93.5 }],
  ])('lets through to the rules: %s', async (_, change) => {
    gateway.bus.on(CreateAccountRequest, () => refuse('invalid-cpf', 'judged'));
    expect(codeOf(await post(KYC, { ...kyc, ...change }))).toBe('422 invalid-cpf');
  });

  it('never repeats what was sent, nor keeps an answer in clear', async () => {
    const finish = jest.spyOn(gateway.engines.edgeState, 'finish');
    const canary = 'Canary Zebedee';
    const answer = await post(KYC, {
      ...kyc,
      'first-name': canary,
      email: canary,
      document: canary,
      'reward-tier': canary,
      address: { ...address, country: canary, 'postal-code': canary },
    });
    expect(answer.body).not.toContain(canary);
    await post(RELIANCE, RELIANCE_EXAMPLE, { 'idempotency-key': 'sealed' });
    expect(finish.mock.calls.map(([, , { body }]) => body)).toEqual([
      expect.stringMatching(/^sealed:v1:gateway-answers:/),
    ]);
    finish.mockRestore();
    expect(JSON.stringify(gateway.bus.asked)).not.toMatch(/52998224725|529\.982\.247-25|Joana|Lima|joana@/);
  });
});

describe('files', () => {
  const png = Buffer.from(SAMPLE.qrCode, 'base64');
  const sha256 = createHash('sha256').update(png).digest('hex');
  const blobs = () => gateway.app.get<Blobs>(BLOBS);
  const idOf = (answer: LightMyRequestResponse) => (answer.json() as { file: { id: string } }).file.id;
  const json = (content: Buffer, headers: Json = {}) =>
    post(FILES, { 'content-base64': content.toString('base64'), purpose: 'document-front' }, headers);
  const part = (disposition: string, content: Buffer | string) =>
    Buffer.concat([
      Buffer.from(`--frontier\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]);
  const file = (content: Buffer) => part('name="file"; filename="Joana Lima.png"\r\nContent-Type: text/html', content);
  const purpose = part('name="purpose"', 'document-back');
  const form = (parts: Buffer[], headers: Json = {}, url = FILES) =>
    gateway.app.inject({
      method: 'POST',
      url,
      headers: { ...key, 'content-type': 'multipart/form-data; boundary=frontier', ...headers } as Record<
        string,
        string
      >,
      payload: Buffer.concat([...parts, Buffer.from('--frontier--\r\n')]),
    });

  it('come as JSON or as a form; the bytes decide the type, go to the blob store and nowhere else', async () => {
    const answers = [await json(png), await form([file(png), purpose])];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201]);
    for (const [at, answer] of answers.entries()) {
      const id = idOf(answer);
      expect(answer.json()).toEqual({
        file: {
          id: expect.stringMatching(/^ev_[0-9A-HJKMNP-TV-Z]{26}$/) as string,
          purpose: at === 0 ? 'document-front' : 'document-back',
          'content-type': 'image/png',
          'size-bytes': png.length,
          'sha-256': sha256,
          'created-at': SAMPLE.time,
          'expires-at': SAMPLE.later,
        },
      });
      expect(await blobs().get(id)).toEqual({ bytes: png, meta: { contentType: 'image/png' } });
      expect(
        gateway.bus
          .askedOf(RegisterEvidenceFile)
          .some(({ payload }) => payload['fileId'] === id && payload['parentId'] === PARTNER),
      ).toBe(true);
    }
    expect(Object.keys(asked(RegisterEvidenceFile)).sort()).toEqual([
      'contentType',
      'fileId',
      'parentId',
      'purpose',
      'sha256',
      'sizeBytes',
    ]);
    expect(
      (await gateway.app.inject({ url: `${FILES}/${idOf(answers[0] as LightMyRequestResponse)}`, headers: key }))
        .statusCode,
    ).toBe(404);
  });

  it('the same upload under one key is one file, however it is sent the second time', async () => {
    const headers = { 'idempotency-key': 'f-1' };
    const first = await post(FILES, { 'content-base64': png.toString('base64'), purpose: 'document-back' }, headers);
    gateway.clock.offset = 25 * 3_600_000;
    const late = await form([file(png), purpose], headers);
    gateway.clock.offset = 0;
    expect([first.statusCode, late.statusCode, idOf(late), late.headers['idempotency-replayed']]).toEqual([
      201,
      201,
      idOf(first),
      undefined,
    ]);
    await blobs().delete(idOf(first));
    gateway.clock.offset = 50 * 3_600_000;
    expect([codeOf(await form([purpose, file(png)], headers))]).toEqual(['422 file-not-found']);
    gateway.clock.offset = 0;
  });

  it('a file that onboarding refuses is not kept; one whose registration is unknown is', async () => {
    gateway.bus.on(RegisterEvidenceFile, () => refuse('limit-exceeded', 'too many', 'file'));
    const refused = await json(png);
    expect([codeOf(refused), faultsOf(refused)]).toEqual(['422 limit-exceeded', ['content-base64 limit-exceeded']]);
    expect(await blobs().get(String(asked(RegisterEvidenceFile)['fileId']))).toBeUndefined();
    gateway.bus.on(RegisterEvidenceFile, () => {
      throw new Error('away');
    });
    expect(codeOf(await json(png))).toBe('500 internal-error');
    expect((await blobs().get(String(asked(RegisterEvidenceFile)['fileId'])))?.bytes).toEqual(png);
    gateway.bus.on(RegisterEvidenceFile, (one) => ({ ...one, createdAt: SAMPLE.time, expiresAt: SAMPLE.later }));
  });

  it.each<[string, () => Promise<LightMyRequestResponse>, string, string[] | undefined]>([
    ['no image', () => json(Buffer.from('<svg/>')), '415 unsupported-media-type', undefined],
    ['nothing', () => json(Buffer.alloc(0)), '415 unsupported-media-type', undefined],
    ['half an image', () => json(png.subarray(0, -8)), '422 file-corrupted', ['content-base64 file-corrupted']],
    [
      'half an image in a form',
      () => form([file(png.subarray(0, -8)), purpose]),
      '422 file-corrupted',
      ['file file-corrupted'],
    ],
    ['one byte more than 10 MB', () => json(Buffer.alloc(10_000_001)), '413 file-too-large', undefined],
    ['the same as a form', () => form([file(Buffer.alloc(10_000_001)), purpose]), '413 file-too-large', undefined],
    ['more than the body may have', () => json(Buffer.alloc(11 * 1024 * 1024)), '413 file-too-large', undefined],
    [
      'no base64',
      () => post(FILES, { 'content-base64': 'a*==', purpose: 'other' }),
      '400 invalid-format',
      ['content-base64 invalid-format'],
    ],
    [
      'base64 of URLs',
      () => post(FILES, { 'content-base64': '_-==', purpose: 'x' }),
      '400 invalid-format',
      ['content-base64 invalid-format', 'purpose invalid-enum-value'],
    ],
    [
      'no members',
      () => post(FILES, { size: 1 }),
      '400 missing-field',
      ['content-base64 missing-field', 'purpose missing-field', 'size unknown-field'],
    ],
    ['an empty form', () => form([]), '400 missing-field', ['file missing-field', 'purpose missing-field']],
    [
      'a field where a file belongs',
      () => form([part('name="file"', 'text'), purpose, part('name="x"', '1')]),
      '400 invalid-type',
      ['file invalid-type', 'x unknown-field'],
    ],
    ['a part twice', () => form([file(png), purpose, purpose]), '400 invalid-format', ['purpose invalid-format']],
    [
      'more parts than a form has',
      () => form(Array.from({ length: 20 }, () => purpose)),
      '400 invalid-format',
      [' invalid-format'],
    ],
    [
      'more parts, under a boundary that is said twice',
      () =>
        form(
          Array.from({ length: 20 }, () => purpose),
          { 'content-type': 'multipart/form-data; x="; boundary=other"; boundary=frontier' },
        ),
      '400 invalid-format',
      [' invalid-format'],
    ],
    [
      'a part twice whose name is an e-mail address',
      () => form([file(png), purpose, part('name="joana@example.com"', '1'), part('name="joana@example.com"', '2')]),
      '400 invalid-format',
      ['? invalid-format'],
    ],
    ['half a form', () => form([file(png), Buffer.from('--frontier\r\n')]), '400 invalid-format', [' invalid-format']],
    [
      'a form without its boundary',
      () => form([file(png), purpose], { 'content-type': 'multipart/form-data' }),
      '400 invalid-format',
      [' invalid-format'],
    ],
    ['a form where none is taken', () => form([file(png)], {}, KYC), '415 unsupported-media-type', undefined],
    [
      'a million values',
      () =>
        gateway.app.inject({
          method: 'POST',
          url: FILES,
          headers: { ...key, 'content-type': 'application/json' },
          payload: `[${'1,'.repeat(1_000_000)}1]`,
        }),
      '413 body-too-large',
      undefined,
    ],
    [
      'a large text twice',
      () =>
        gateway.app.inject({
          method: 'POST',
          url: FILES,
          headers: { ...key, 'content-type': 'application/json' },
          payload: `{"content-base64":"${'A'.repeat(6e6)}","content-base64":"${'A'.repeat(6e6)}"}`,
        }),
      '400 malformed-json',
      undefined,
    ],
  ])('%s', async (_, send, code, faults) => {
    const answer = await send();
    expect(codeOf(answer)).toBe(code);
    if (faults) expect(faultsOf(answer)).toEqual(faults);
  });

  it('takes 10 MB, and gives the memory back afterwards, also when the caller goes away', async () => {
    const budget = gateway.app.get(UploadBudget);
    const held = async (bytes: number) => {
      for (let i = 0; i < 200 && budget.bytes !== bytes; i += 1)
        await new Promise((resolve) => {
          setTimeout(resolve, 10);
        });
      return budget.bytes;
    };
    expect(await held(0)).toBe(0);
    const jpeg = Buffer.concat([
      Buffer.from('ffd8ffc0000b080001000101011100ffda0008010100003f00', 'hex'),
      Buffer.alloc(10_000_000 - 27, 1),
      Buffer.from('ffd9', 'hex'),
    ]);
    expect((await form([file(jpeg), purpose])).json()).toMatchObject({
      file: { 'content-type': 'image/jpeg', 'size-bytes': 10_000_000 },
    });
    expect(await held(0)).toBe(0);
    const socket = connect(gateway.port, '127.0.0.1');
    socket.write(
      `POST ${FILES} HTTP/1.1\r\nHost: a\r\nAuthorization: ${key.authorization}\r\nContent-Type: application/json\r\nContent-Length: 5000000\r\n\r\n{"`,
    );
    expect(await held(5_000_000)).toBe(5_000_000);
    socket.destroy();
    expect(await held(0)).toBe(0);
  });
});

describe('memory for uploads', () => {
  const MB = 1024 * 1024;

  it('is bounded, for all and for each; what announces no length, or a wrong one, counts as the largest', () => {
    const budget = new UploadBudget();
    const first = budget.take('a', 100 * MB, 14 * MB);
    expect([first !== undefined, budget.bytes]).toEqual([true, 14 * MB]);
    expect(
      Array.from({ length: 9 }, () => budget.take('a', NaN, 14 * MB)).filter((one) => one !== undefined),
    ).toHaveLength(1);
    expect(budget.take('b', 14 * MB, 14 * MB)).toBeDefined();
    first?.release();
    first?.release();
    expect(budget.bytes).toBe(2 * 14 * MB);
    expect(budget.take('a', 10, 14 * MB)).toBeDefined();
  });
});
