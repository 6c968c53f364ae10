import { createHash } from 'node:crypto';
import type { DomainEvent, Recorded, Sealed } from '@ponte/event-sourcing';
import type { Refusal } from '@ponte/kernel';
import * as contracts from '..';
import {
  isApiKeyId,
  KEY_ID_BYTES,
  keyIdOfBearer,
  newApiKeyId,
  newBearerSecret,
  SECRET_BYTES,
  secretHashOf,
} from './api-keys';
import { CAPABILITIES, isCapability } from './capabilities';
import type { ClearBankAccount, ClearHolder, ShownTexts } from './sealing';
import { holderIdOf, isSealedFor, sealBankAccount, sealHolder } from './sealing';

const random = (bytes: number, first = 0) => Uint8Array.from({ length: bytes }, (_, at) => (first + at * 37) % 256);

describe('API keys', () => {
  it('"start ak_live_ or ak_test_"', () => {
    expect(newApiKeyId('sandbox', random(KEY_ID_BYTES))).toMatch(/^ak_test_[0-9a-f]{24}$/);
    expect(newApiKeyId('production', random(KEY_ID_BYTES))).toMatch(/^ak_live_[0-9a-f]{24}$/);
    for (const text of [
      '',
      'ak_test_',
      `ak_test_${'0'.repeat(25)}`,
      `ak_prod_${'0'.repeat(24)}`,
      `ak_test_${'0'.repeat(24)}\n`,
    ])
      expect(isApiKeyId(text)).toBe(false);
    expect(() => newApiKeyId('sandbox', random(KEY_ID_BYTES - 1))).toThrow(RangeError);
  });

  it('a bearer secret names its key and carries 32 random bytes, and only its hash is stored', () => {
    const keyId = newApiKeyId('sandbox', random(KEY_ID_BYTES));
    for (let first = 0; first < 256; first += 1) {
      const secret = newBearerSecret(keyId, random(SECRET_BYTES, first));
      expect(keyIdOfBearer(secret)).toBe(keyId);
      expect(secretHashOf(secret)).toBe(createHash('sha256').update(secret).digest('hex'));
    }
    expect(() => newBearerSecret(newApiKeyId('production', random(KEY_ID_BYTES)), random(SECRET_BYTES))).toThrow(
      TypeError,
    );
    expect(() => newBearerSecret(keyId, random(SECRET_BYTES - 1))).toThrow(RangeError);
    for (const text of [
      '',
      keyId,
      `sk_live_${'0'.repeat(24)}_${'A'.repeat(43)}`,
      `sk_test_${'0'.repeat(24)}_${'A'.repeat(42)}`,
    ])
      expect(keyIdOfBearer(text)).toBeUndefined();
  });
});

it('the capabilities are the documented ones', () => {
  expect([...CAPABILITIES].sort()).toEqual([
    'auto-claim-rewards',
    'international-travels',
    'manage-holders',
    'pay-after-acceptance',
    'subaccounts-90-tier',
    'subaccounts-93.5-tier',
    'subaccounts-97-tier',
  ]);
  for (const name of [...CAPABILITIES, 'rate-lock-5m', 'rate-lock-end-of-day']) expect(isCapability(name)).toBe(true);
  for (const name of [
    '',
    'rate-lock-',
    'rate-lock-5M',
    'rate-lock--5m',
    'manage-holders ',
    `rate-lock-${'a'.repeat(41)}`,
  ])
    expect(isCapability(name)).toBe(false);
});

describe('sealing', () => {
  const personalData = {
    seal: (subject: string, text: string) =>
      Promise.resolve<Sealed>(`sealed:v1:${subject}:${Buffer.from(text).toString('base64')}`),
    fingerprint: (kind: string, value: string) => createHash('sha256').update(`${kind} ${value}`).digest('hex'),
  };
  const person: ClearHolder = { legalName: ' Joana  da Conceição ', taxId: '529.982.247-25' };
  const nothingShown: ShownTexts = { alias: 'Account 1', externalId: null };
  const faults = (promise: Promise<unknown>) =>
    promise.then(
      () => [],
      (refusal: Refusal) => refusal.violations.map(({ code, path }) => `${code} ${path}`),
    );

  it('gives the same person one subject, however the tax id is written', async () => {
    const masked = await sealHolder(personalData, person, nothingShown);
    const bare = await sealHolder(personalData, { ...person, taxId: '52998224725' }, nothingShown);
    expect(masked).toEqual(bare);
    expect(masked.holderId).toBe(holderIdOf(personalData.fingerprint('tax-id', '52998224725')));
    expect([
      isSealedFor(masked.holderId, masked.legalName),
      isSealedFor(masked.holderId, masked.taxId),
      isSealedFor('other', masked.taxId),
      isSealedFor(masked.holderId, 'x'),
    ]).toEqual([true, true, false, false]);
  });

  it('refuses what is no name and no tax id, all at once', async () => {
    expect(await faults(sealHolder(personalData, { legalName: '  ', taxId: '52998224726' }, nothingShown))).toEqual([
      'invalid-format legal-name',
      'invalid-tax-id tax-id',
    ]);
    expect(await faults(sealHolder(personalData, { legalName: 'x'.repeat(201), taxId: '' }, nothingShown))).toEqual([
      'invalid-format legal-name',
      'invalid-tax-id tax-id',
    ]);
  });

  it('keeps the name and the tax id of a person out of what is shown; the name of a company is public', async () => {
    const shown = (texts: Partial<ShownTexts>, clear = person) =>
      faults(sealHolder(personalData, clear, { ...nothingShown, ...texts }));
    for (const alias of ['Joana da Conceição', 'conta de JOANA DA CONCEICAO', '52998224725', 'CPF 529.982.247-25'])
      expect(await shown({ alias })).toEqual(['invalid-format alias']);
    expect(await shown({ externalId: '52998224725' })).toEqual(['invalid-format external-id']);
    expect(await shown({ alias: 'Joana' })).toEqual([]);
    const company = { legalName: 'Acme', taxId: '11222333000181' };
    expect(await shown({ alias: 'Acme' }, company)).toEqual([]);
    expect(await shown({ alias: 'Acme 11.222.333/0001-81' }, company)).toEqual(['invalid-format alias']);
  });

  it('takes bank accounts in the Brazilian forms', async () => {
    const bank: ClearBankAccount = { bankCode: '001', branch: '1234', number: '1234567-8' };
    const sealed = await sealBankAccount(personalData, 'h', bank);
    expect([sealed.bankCode, isSealedFor('h', sealed.branch), isSealedFor('h', sealed.number)]).toEqual([
      '001',
      true,
      true,
    ]);
    for (const good of [
      { bankCode: '00000000' },
      { bankCode: '1A2B3C4D' },
      { branch: '1' },
      { number: '12' },
      { number: '1-X' },
    ])
      expect(await faults(sealBankAccount(personalData, 'h', { ...bank, ...good }))).toEqual([]);
    expect(await faults(sealBankAccount(personalData, 'h', { bankCode: '01', branch: '12345', number: 'X' }))).toEqual([
      'invalid-bank-account bank-account.bank-code',
      'invalid-bank-account bank-account.branch-number',
      'invalid-bank-account bank-account.account-number',
    ]);
  });
});

describe('compliance.reviews (issue 4: "requested, claimed, decided, escalated"), from the log of onboarding', () => {
  const AT = '2026-11-21T12:00:00.000Z';
  const about = { requestId: 'r', accountId: 'a', parentId: 'p' };
  const shown = { 'request-id': 'r', 'account-id': 'a', 'parent-id': 'p' };
  const note = 'sealed:v1:p:what-staff-wrote' as const;
  const recorded = ({ type, data }: DomainEvent, revision = 7): Recorded => ({
    id: `id-${type}`,
    stream: 'accountRequest-r',
    revision,
    position: '41',
    type,
    version: 1,
    data,
    meta: { commandId: 'c', index: 0, count: 1, occurredAt: AT, correlationId: 'k', causationId: 'e', actor: 's' },
  });

  it.each([
    [
      'compliance.review.requested',
      new contracts.ReviewRequested({
        ...about,
        causes: ['standard'],
        fourEyes: true,
        rewardTier: 97,
        requestedAt: AT,
      }),
      { ...shown, causes: ['standard'], 'four-eyes': true, 'reward-tier': 97, 'requested-at': AT },
    ],
    [
      'compliance.review.claimed',
      new contracts.ReviewClaimed({ ...about, staffId: 's', claimedAt: AT }),
      { ...shown, 'staff-id': 's', 'claimed-at': AT },
    ],
    [
      'compliance.review.released',
      new contracts.ReviewReleased({ ...about, staffId: 's', releasedAt: AT }),
      { ...shown, 'staff-id': 's', 'released-at': AT },
    ],
    [
      'compliance.review.escalated',
      new contracts.ReviewEscalated({ ...about, staffId: 's', note, escalatedAt: AT }),
      { ...shown, 'staff-id': 's', 'escalated-at': AT },
    ],
    [
      'compliance.review.decided',
      new contracts.ReviewDecided({ ...about, decision: 'reject', final: true, staffId: null, note, decidedAt: AT }),
      { ...shown, decision: 'reject', final: true, 'staff-id': null, 'decided-at': AT },
    ],
  ])(
    '%s: under the id of the request, once for ever under the id of the stored event, and nothing of what is sealed',
    (type, fact, data) => {
      expect(contracts.reviewNotice(recorded(fact))).toEqual({
        key: 'r',
        event: {
          specversion: '1.0',
          id: `id-${fact.type}`,
          source: '/ponte/onboarding',
          type,
          subject: 'r',
          time: AT,
          datacontenttype: 'application/json',
          revision: 7,
          data,
        },
      });
      expect(JSON.stringify(contracts.reviewNotice(recorded(fact)))).not.toContain('sealed');
    },
  );

  it('no other event of a request is published there, and an event of an unknown version stops the relay instead of being lost', () => {
    const others = contracts.ACCOUNT_REQUEST_EVENTS.filter(({ type }) => !type.startsWith('Review'));
    expect(others).toHaveLength(17);
    for (const { type } of others) expect(contracts.reviewNotice(recorded({ type, data: about }))).toBeNull();
    expect(contracts.reviewNotice(recorded({ type: 'toString', data: {} }))).toBeNull();
    expect(() => contracts.reviewNotice({ ...recorded({ type: 'ReviewClaimed', data: about }), version: 2 })).toThrow(
      'not known',
    );
  });
});
