import * as contracts from '@ponte/contracts';
import { NO_STREAM, toAppend } from '@ponte/event-sourcing';
import { eventually } from '@ponte/testing';
import type { OnboardingUnderTest } from '../testing/onboarding-under-test';
import { APPROVER, AUDITOR, cpfOf, post, requestFor } from '../testing/people';
import { approveAsRead, codes, requestsOf, startWithPartner } from '../testing/requests';

const YEAR_MS = 366 * 86_400_000;

let onboarding: OnboardingUnderTest;
let parentId: string;

beforeEach(async () => {
  ({ onboarding, parentId } = await startWithPartner({ dueEveryMs: 50 }));
});

afterEach(() => onboarding.stop());

const { until } = requestsOf(() => ({ onboarding, parentId }));

it('a payer who is not a customer is found by a privacy report and can be erased after the retention period', async () => {
  const { personalData } = onboarding.engines;
  const pays = async (cpf: string, accountId: string, depositId: string) => {
    const fingerprint = personalData.fingerprint('tax-id', cpf);
    const [sourceTaxId, sourceLegalName, sourceAccountNumber, sourceBranchCode] = await Promise.all(
      [cpf, 'Vera Passante', '1234-5', '0001'].map((text) =>
        personalData.seal(contracts.holderIdOf(fingerprint), text),
      ),
    );
    const coordinates = {
      sourceTaxId,
      sourceTaxIdFingerprint: fingerprint,
      sourceLegalName,
      sourceBankCode: '00000000',
      sourceType: 'checking',
      sourceAccountNumber,
      sourceBranchCode,
      target: 'x',
    } as contracts.PixCoordinates;
    const at = new Date(onboarding.engines.clock.now()).toISOString();
    const received = new contracts.DepositCreated({
      depositId,
      accountId,
      parentId,
      orderId: null,
      type: 'pix',
      asset: 'fiat/brl',
      amount: '5.00',
      endToEndId: `E${depositId}`,
      coordinates,
      settledAt: at,
      createdAt: at,
    });
    await onboarding.engines.store.append(
      `deposit-${depositId}`,
      NO_STREAM,
      toAppend([received], [contracts.DepositCreated], onboarding.context(), at),
    );
  };
  const reportOf = async (cpf: string) =>
    onboarding.ask(contracts.OpenPrivacyReport, {
      person: {
        kind: 'identifier',
        identifier: await contracts.sealRequest(personalData, { value: cpf, country: 'BRA' }),
      },
      staff: AUDITOR,
      purpose: 'privacy-request',
    });
  const [stranger, holder] = [cpfOf(777_000_111), cpfOf(777_000_222)];
  const {
    request: { requestId, accountId },
  } = await post(onboarding, parentId, await requestFor(onboarding, parentId, holder));
  await until(requestId, 'manual-review');
  await approveAsRead(onboarding, requestId, APPROVER);
  await until(requestId, 'active');
  await eventually(async () => expect((await reportOf(holder))?.holdings.map(({ kind }) => kind)).toContain('account'));
  await pays(holder, accountId, 'a0000000-0000-8000-8000-000000000001');
  await pays(stranger, accountId, 'a0000000-0000-8000-8000-000000000002');
  await eventually(async () =>
    expect((await reportOf(stranger))?.holdings).toMatchObject([
      {
        kind: 'deposit',
        id: 'a0000000-0000-8000-8000-000000000002',
        role: 'payer',
        categories: ['name', 'tax-id', 'bank-account'],
        retainedUntil: expect.any(String) as string,
      },
    ]),
  );
  expect((await reportOf(holder))?.holdings.map(({ kind }) => kind)).not.toContain('deposit');
  const eraseStranger = async (expected: contracts.ErasureOutcome) =>
    onboarding.ask(contracts.ErasePerson, {
      person: {
        kind: 'identifier',
        identifier: await contracts.sealRequest(personalData, { value: stranger, country: 'BRA' }),
      },
      staff: APPROVER,
      expected,
    });
  // Only the outcome that the staff member was shown.
  expect(await codes(eraseStranger('erased'))).toEqual(['erasure-not-confirmed token']);
  expect(await eraseStranger('restricted')).toMatchObject({ outcome: 'restricted' });
  onboarding.advance(11 * YEAR_MS);
  expect(await codes(eraseStranger('restricted'))).toEqual(['erasure-not-confirmed token']);
  expect((await reportOf(stranger))?.status).toBe('restricted');
  expect(await eraseStranger('erased')).toMatchObject({ outcome: 'erased' });
});

it('the payee of a withdrawal, who may not be a customer, is found by a privacy report', async () => {
  const { personalData, store } = onboarding.engines;
  const cpf = cpfOf(777_000_333);
  const taxIdFingerprint = personalData.fingerprint('tax-id', cpf);
  const [taxId, legalName, accountNumber, branchCode] = await Promise.all(
    [cpf, 'Vera Recebedora', '1234-5', '0001'].map((text) =>
      personalData.seal(contracts.holderIdOf(taxIdFingerprint), text),
    ),
  );
  const payee = {
    taxId,
    legalName,
    accountNumber,
    branchCode,
    taxIdFingerprint,
    bankCode: '00000000',
  } as contracts.SealedPayee;
  const [withdrawalId, at] = [
    'a0000000-0000-8000-8000-000000000003',
    new Date(onboarding.engines.clock.now()).toISOString(),
  ];
  const created = new contracts.WithdrawalCreated({
    withdrawalId,
    accountId: parentId,
    parentId: null,
    createdBy: parentId,
    createdByApiKey: 'ak',
    keyHash: null,
    bodyHash: null,
    externalId: null,
    asset: 'fiat/brl',
    amount: '5.00',
    holdId: 'h',
    target: { method: 'ted', payee },
    scheduledFor: null,
    createdAt: at,
  });
  await store.append(
    `withdrawal-${withdrawalId}`,
    NO_STREAM,
    toAppend([created], [contracts.WithdrawalCreated], onboarding.context(), at),
  );
  const person = {
    kind: 'identifier',
    identifier: await contracts.sealRequest(personalData, { value: cpf, country: 'BRA' }),
  } as const;
  await eventually(async () =>
    expect(
      (await onboarding.ask(contracts.OpenPrivacyReport, { person, staff: AUDITOR, purpose: 'privacy-request' }))
        ?.holdings,
    ).toMatchObject([
      {
        kind: 'withdrawal',
        id: withdrawalId,
        role: 'payee',
        categories: ['name', 'tax-id', 'bank-account', 'pix-key'],
      },
    ]),
  );
});
