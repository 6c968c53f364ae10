import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as contracts from '@ponte/contracts';
import type { Refusal } from '@ponte/kernel';
import { privateKeyToAccount } from 'viem/accounts';
import type { OnboardingUnderTest } from '../testing/onboarding-under-test';
import { APPROVER, AUDITOR, bySelf, cpfOf, post, requestFor, upload } from '../testing/people';
import { approveAsRead, decideAsRead, requestsOf, startWithPartner } from '../testing/requests';
import { NO_QUEUE_FILTERS } from '../testing/queue-filters';
import { NO_INFORMATION } from '../testing/kyc-request';

let onboarding: OnboardingUnderTest;
let parentId: string;

beforeEach(async () => {
  ({ onboarding, parentId } = await startWithPartner({ dueEveryMs: 50 }));
});

afterEach(() => onboarding.stop());

const { until, open, report } = requestsOf(() => ({ onboarding, parentId }));

/** Personal values that must not be found anywhere in clear. */
const CANARY = {
  cpf: cpfOf(733_194_285),
  firstName: 'Quetzalina',
  lastName: 'Brzezinska-Xisto',
  email: 'canario.amarelo@zwitscher.example',
  phone: '+55 31 98888-71717',
  mother: 'Ermengarda Xisto Wolff',
  line1: 'Travessa dos Canários Invisíveis 4711',
  line2: 'bloco Zzyzx',
  city: 'Pindamonhangaba do Norte',
  postal: '30140-991',
  session: 'livesession-canary-5566',
  role: 'vereadora de Canarópolis',
  custodian: 'Canário Custódia SA',
  signed: 'eu, Zezé Canário, controlo esta carteira',
  note: 'a senhora prefere ser chamada Zezé Canário',
  passport: 'CANARY77XZ',
  birth: '1971-03-29',
};

const WALLET = privateKeyToAccount(`0x${'c1'.repeat(32)}`);

it('personal data appears in clear in no event, view, file, log line, refusal or reply', async () => {
  const base = await requestFor(onboarding, parentId, CANARY.cpf, {
    firstName: CANARY.firstName,
    lastName: CANARY.lastName,
    email: CANARY.email,
    phone: CANARY.phone,
    dateOfBirth: CANARY.birth,
    motherFullName: CANARY.mother,
    address: {
      postalCode: CANARY.postal,
      line1: CANARY.line1,
      line2: CANARY.line2,
      city: CANARY.city,
      state: 'MG',
      country: 'BRA',
    },
    liveness: { id: CANARY.session, provider: 'provider-2' },
    pep: { declared: true, fullName: CANARY.mother, role: CANARY.role, relationship: 'child' },
    externalId: 'shown-id-1',
    externalWallets: [
      {
        ...bySelf(WALLET.address),
        custodyType: 'exchange',
        custodyCountry: 'BRA',
        custodianName: CANARY.custodian,
        proof: { message: CANARY.signed, signature: await WALLET.signMessage({ message: CANARY.signed }) },
      },
    ],
  });
  const representative = {
    ...base,
    identifier: { value: CANARY.passport, country: 'PRT' },
    taxResidence: 'PRT',
    document: { type: 'passport' as const, frontFileId: await upload(onboarding, parentId), backFileId: null },
    powerOfAttorneyFileId: await upload(onboarding, parentId, 'power-of-attorney'),
  };
  onboarding.vendors.screening.hits = [
    { list: 'pep', entryId: '7', score: 91, matchedOn: `${CANARY.firstName} ${CANARY.lastName}` },
  ];
  const output: unknown[] = [];
  const made = await post(onboarding, parentId, { ...base, representative });
  const { requestId } = made.request;
  await until(requestId, 'manual-review');
  const note = await contracts.sealRequest(onboarding.engines.personalData, { secret: CANARY.note });
  output.push(
    made,
    await open(requestId, APPROVER, 'review', note),
    await decideAsRead(onboarding, contracts.EscalateReview, { requestId, staff: APPROVER, note }),
  );
  output.push(
    await decideAsRead(onboarding, contracts.AskInformation, {
      requestId,
      staff: APPROVER,
      items: ['other'],
      issues: [],
      note,
    }),
  );
  output.push(
    await onboarding.ask(contracts.ProvideInformation, {
      parentId,
      requestId,
      body: await contracts.sealRequest(onboarding.engines.personalData, {
        ...NO_INFORMATION,
        address: { ...base.address, line2: CANARY.note },
        note: CANARY.note,
      }),
    }),
  );
  await until(requestId, 'manual-review');
  for (const person of ['holder', 'representative'] as const) {
    output.push(
      await onboarding.ask(contracts.JudgeScreeningHit, {
        requestId,
        staff: APPROVER,
        person,
        list: 'pep',
        entryId: '7',
        score: 91,
        verdict: 'false-positive',
        reason: 'name-differs',
        note,
      }),
    );
  }
  for (const staff of [APPROVER, { ...APPROVER, staffId: AUDITOR.staffId }])
    output.push(await approveAsRead(onboarding, requestId, staff, note));
  await until(requestId, 'active');
  for (const wrong of [
    { externalId: CANARY.cpf },
    { externalId: `${CANARY.firstName}${CANARY.lastName}` },
    { identifier: { value: `${CANARY.cpf}1`, country: 'BRA' } },
    { address: { ...base.address, state: CANARY.city } },
    { phone: CANARY.phone.repeat(3) },
    { dateOfBirth: CANARY.email },
    { externalWallets: [bySelf(CANARY.email)] },
    { taxResidence: CANARY.city },
    { document: { ...base.document, frontFileId: CANARY.email } },
  ])
    output.push(
      await post(onboarding, parentId, {
        ...base,
        identifier: { value: cpfOf(733_194_999), country: 'BRA' },
        ...wrong,
      }).catch((error: Refusal) => error.toJSON()),
    );
  output.push(
    await report(requestId),
    await onboarding.ask(contracts.ListReviewQueue, {
      filters: NO_QUEUE_FILTERS,
      order: 'newest',
      limit: 50,
      cursor: null,
    }),
  );

  const files = readdirSync(onboarding.folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)).toString('latin1'));
  const everything = [
    JSON.stringify(await onboarding.events()),
    JSON.stringify(output),
    onboarding.log.join(''),
    ...files,
  ];
  // A value that may be visible is found there, which proves that the search covers the right places.
  expect(everything.filter((sink) => sink.includes('shown-id-1')).length).toBeGreaterThanOrEqual(3);
  const bare = (text: string): string =>
    text
      .normalize('NFKD')
      .replace(/[^0-9A-Za-z]/g, '')
      .toLowerCase();
  for (const [name, value] of Object.entries(CANARY)) {
    const found = everything.findIndex(
      (sink) =>
        sink.includes(value) ||
        sink.includes(Buffer.from(value, 'utf8').toString('latin1')) ||
        (bare(value).length >= 10 && bare(sink).includes(bare(value))),
    );
    expect([name, found]).toEqual([name, -1]);
  }
});
