import type { EvidenceFileRecord, ReviewCase, SealedKycPerson } from '@ponte/contracts';
import type { PersonalData, Sealed } from '@ponte/event-sourcing';
import { SAMPLE } from '../api/samples';
import { requestRecord } from './onboarding-fixtures';
import { CASE_FILE, CASE_HOLDER, queueItem } from './queue-items';
import { STAFF } from './staff-members';

export const FILE: EvidenceFileRecord = {
  fileId: CASE_FILE,
  parentId: SAMPLE.parentId,
  purpose: 'document-front',
  contentType: 'image/png',
  sizeBytes: 4,
  sha256: 'ab'.repeat(32),
  createdAt: SAMPLE.time,
  expiresAt: SAMPLE.later,
};

async function sealedPerson(seal: (text: string) => Promise<Sealed>): Promise<SealedKycPerson> {
  const [identifier, maskedIdentifier, firstName, lastName, dateOfBirth, address, pep] = await Promise.all([
    seal('52998224725'),
    seal('***.982.247-**'),
    seal('Canária'),
    seal('de Souza'),
    seal('1990-05-17'),
    seal(
      JSON.stringify({
        postalCode: '01310-100',
        line1: 'Canary Avenue 1',
        line2: '',
        city: 'São Paulo',
        state: 'SP',
        country: 'BRA',
      }),
    ),
    seal(JSON.stringify({ declared: false, fullName: null, role: null, relationship: null })),
  ] as const);
  return {
    subjectId: CASE_HOLDER,
    identifierFingerprint: 'f'.repeat(64),
    country: 'BRA',
    identifier,
    maskedIdentifier,
    taxResidence: 'BRA',
    firstName,
    lastName,
    dateOfBirth,
    address,
    pep,
    document: { type: 'cnh', frontFileId: CASE_FILE, backFileId: null },
  };
}

export async function reviewCase(personalData: PersonalData): Promise<ReviewCase> {
  const seal = (text: string) => personalData.seal(CASE_HOLDER, text);
  const holder = await sealedPerson(seal);
  return {
    item: queueItem(),
    request: requestRecord(SAMPLE.parentId, holder.maskedIdentifier),
    details: {
      mode: 'kyc',
      holder,
      email: await seal('canary@example.com'),
      phone: await seal('+55 11 91234-5678'),
      motherFullName: await seal('Canary Mother'),
      financialProfile: await seal(
        JSON.stringify({
          sector: 'other',
          currency: 'BRL',
          monthlyIncome: 8500.5,
          netWorth: null,
          sourceOfFunds: ['salary'],
        }),
      ),
      liveness: { provider: 'provider-1', id: await seal('session-1'), fingerprint: 'e'.repeat(64) },
      representative: { ...(await sealedPerson(seal)), powerOfAttorneyFileId: CASE_FILE },
    },
    externalWallets: [
      {
        address: SAMPLE.wallet,
        custodyType: 'exchange',
        custodyCountry: 'USA',
        custodianName: await seal('An Exchange'),
        signedMessage: await seal('this wallet is mine'),
      },
    ],
    files: [{ ...FILE, label: 'document, front' }],
    screening: [
      {
        person: 'holder',
        round: 1,
        recordedAt: SAMPLE.time,
        hits: [
          {
            list: 'un-consolidated',
            entryId: 'QDi.001',
            score: 92.5,
            match: await seal('canária de souza'),
            verdict: {
              verdict: 'false-positive',
              reason: 'birth-date-differs',
              note: await seal('Twenty years apart'),
              staffId: STAFF.analyst.staffId,
              judgedAt: SAMPLE.time,
            },
          },
        ],
      },
    ],
    liveness: { provider: 'provider-1', outcome: 'passed', decidedAt: SAMPLE.time },
    livenessSharedWith: [SAMPLE.accountId],
    duplicates: [
      {
        kind: 'email',
        requests: [{ requestId: SAMPLE.orderId, status: 'rejected', parentAlias: 'Partner', samePerson: false }],
      },
    ],
    checklist: [{ check: 'rule-4', title: 'The holder is 18 or older', outcome: 'passed' }],
    approvals: [STAFF.approver.staffId],
    internalReason: null,
    notes: [{ note: await seal('A new photograph'), at: SAMPLE.time }],
    staffNotes: [
      {
        type: 'ReviewEscalated',
        staffId: STAFF.analyst.staffId,
        note: await seal('Looks like an entry'),
        at: SAMPLE.time,
      },
    ],
    history: [
      {
        type: 'ReviewClaimed',
        at: SAMPLE.time,
        actor: STAFF.analyst.staffId,
        facts: { staffId: STAFF.analyst.staffId, subjectId: CASE_HOLDER },
      },
    ],
    views: [
      {
        staffId: STAFF.analyst.staffId,
        roles: ['compliance-analyst'],
        purpose: 'review',
        what: 'case',
        viewedAt: SAMPLE.time,
        note: await seal('asked on the telephone'),
      },
    ],
    restricted: false,
  };
}
