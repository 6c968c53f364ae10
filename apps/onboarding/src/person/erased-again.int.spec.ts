import { join } from 'node:path';
import * as contracts from '@ponte/contracts';
import { ERASED, NO_STREAM, toAppend } from '@ponte/event-sourcing';
import type { Sealed } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import Database from 'libsql';
import type { OnboardingUnderTest } from '../testing/onboarding-under-test';
import { APPROVER, AUDITOR, cpfOf } from '../testing/people';
import { eraseAsPrepared, startWithPartner } from '../testing/requests';
import { WhenPersonErasedShred } from './when-person-erased-shred.policy';

const YEAR_MS = 366 * 86_400_000;
const CPF = cpfOf(777_000_444);
const [FIRST, SECOND] = [derivedId('test', 'first'), derivedId('test', 'second')];
const NAME = 'Vera Passante';

let onboarding: OnboardingUnderTest;
let parentId: string;
beforeEach(async () => {
  ({ onboarding, parentId } = await startWithPartner({ dueEveryMs: 50 }));
});
afterEach(() => onboarding.stop());

const data = () => onboarding.engines.personalData;
const now = () => new Date(onboarding.engines.clock.now()).toISOString();
const fingerprintOf = (cpf: string) => data().fingerprint('tax-id', cpf);

/** Appends the deposit of a payer, sealed under the subject, and returns the sealed name. */
async function pays(depositId: string, taxIdFingerprint: string, subject: string): Promise<Sealed> {
  const sealed = await data().seal(subject, NAME);
  const coordinates = {
    ...{ sourceTaxId: sealed, sourceTaxIdFingerprint: taxIdFingerprint, sourceLegalName: sealed },
    ...{ sourceBankCode: '00000000', sourceType: 'checking', target: 'x' },
    ...{ sourceAccountNumber: sealed, sourceBranchCode: sealed },
  } as contracts.PixCoordinates;
  const created = new contracts.DepositCreated({
    ...{ depositId, accountId: parentId, parentId: null, orderId: null, type: 'pix', asset: 'fiat/brl' },
    ...{ amount: '5.00', endToEndId: `E${depositId}`, coordinates, settledAt: now(), createdAt: now() },
  });
  await append(`deposit-${depositId}`, created, contracts.DepositCreated);
  return sealed;
}

async function isPaid(withdrawalId: string, subject: string): Promise<Sealed> {
  const sealed = await data().seal(subject, NAME);
  const payee: contracts.SealedPayee = {
    ...{ taxId: sealed, legalName: sealed, accountNumber: sealed, branchCode: sealed, bankCode: '00000000' },
    taxIdFingerprint: fingerprintOf(CPF),
  };
  const created = new contracts.WithdrawalCreated({
    ...{ withdrawalId, accountId: parentId, parentId: null, createdBy: parentId, createdByApiKey: 'ak' },
    ...{ keyHash: null, bodyHash: null, externalId: null, asset: 'fiat/brl', amount: '5.00', holdId: 'h' },
    ...{ target: { method: 'ted', payee }, scheduledFor: null, createdAt: now() },
  });
  await append(`withdrawal-${withdrawalId}`, created, contracts.WithdrawalCreated);
  return sealed;
}

/** Staff write about the payer of the deposit. */
async function isNoted(depositId: string, payerId: string, subject: string): Promise<Sealed> {
  const note = await data().seal(subject, NAME);
  const proposed = new contracts.SuspenseSettlementProposed({
    ...{ depositId, proposal: 1, bankReference: 'E1', note, payerId, staffId: 'first', proposedAt: now() },
  });
  await append(`deposit-${depositId}-note`, proposed, contracts.SuspenseSettlementProposed);
  return note;
}

const append = (stream: string, event: object, type: unknown) =>
  onboarding.engines.store.append(
    stream,
    NO_STREAM,
    toAppend([event as never], [type as never], onboarding.context(), now()),
  );

const byCpf = async (): Promise<contracts.PersonKey> => ({
  kind: 'identifier',
  identifier: await contracts.sealRequest(data(), { value: CPF, country: 'BRA' }),
});
const report = async (person: contracts.PersonKey) =>
  onboarding.ask(contracts.OpenPrivacyReport, { person, staff: AUDITOR, purpose: 'privacy-request' });
const erase = async (person: contracts.PersonKey) => (await eraseAsPrepared(onboarding, person, APPROVER))?.outcome;
const holds = (person: contracts.PersonKey, status: string, ids: readonly string[]) =>
  eventually(async () => {
    const found = await report(person);
    expect([found?.status, found?.holdings.map(({ id }) => id)]).toEqual([status, ids]);
  });

/** A payer whose data was erased after the retention period. */
async function erased(): Promise<{ readonly person: contracts.PersonKey; readonly subjectId: string }> {
  const [person, subjectId] = [await byCpf(), contracts.holderIdOf(fingerprintOf(CPF))];
  await pays(FIRST, fingerprintOf(CPF), subjectId);
  await holds(person, 'held', [FIRST]);
  onboarding.advance(11 * YEAR_MS);
  expect(await erase(person)).toBe('erased');
  await holds(person, 'erased', [FIRST]);
  return { person, subjectId };
}

describe('The data of an erased person who', () => {
  it.each([
    ['pays again', () => pays(SECOND, fingerprintOf(CPF), contracts.unidentifiedPayerIdOf(SECOND))],
    ['is paid again', () => isPaid(SECOND, derivedId('person', 'payee', SECOND))],
    [
      'is the subject of a later note of staff',
      () => isNoted(SECOND, contracts.holderIdOf(fingerprintOf(CPF)), derivedId('person', 'settlement', SECOND)),
    ],
  ] as const)('%s is reported, retained, and erased by another erasure', async (_, happens) => {
    const { person } = await erased();
    const sealed = await happens();
    await holds(person, 'held', [SECOND]);
    expect(await erase(person)).toBe('restricted');
    await holds(person, 'restricted', [SECOND]);
    expect(await data().open(sealed)).toBe(NAME);
    onboarding.advance(11 * YEAR_MS);
    expect(await erase(person)).toBe('erased');
    expect(await data().open(sealed)).toBe(ERASED);
    await holds(person, 'erased', [FIRST, SECOND]);
  });

  it('pays again is kept when the policy repeats the earlier erasure', async () => {
    const { person, subjectId } = await erased();
    const sealed = await pays(SECOND, fingerprintOf(CPF), contracts.unidentifiedPayerIdOf(SECOND));
    await holds(person, 'held', [SECOND]);
    const earlier = (await onboarding.events()).find(({ type }) => type === 'PersonErased');
    await onboarding.run(WhenPersonErasedShred as never, earlier as never);
    expect(await data().open(sealed)).toBe(NAME);
    await expect(data().seal(subjectId, NAME)).rejects.toThrow();
  });
});

it('Keys from a backup undo an erasure until its event is handled again, as docs/operations says', async () => {
  const subjectId = contracts.holderIdOf(fingerprintOf(CPF));
  const sealed = await data().seal(subjectId, NAME);
  const db = new Database(join(onboarding.folder, 'keys.db'));
  const { wrapped } = db.prepare('SELECT wrapped FROM person_keys WHERE subject = ?').get(subjectId) as {
    wrapped: Buffer;
  };
  await erased();
  expect(await data().open(sealed)).toBe(ERASED);
  db.prepare('UPDATE person_keys SET wrapped = ? WHERE subject = ?').run(wrapped, subjectId);
  db.close();
  expect(await data().open(sealed)).toBe(NAME);
  const erasure = (await onboarding.events()).find(({ type }) => type === 'PersonErased');
  await onboarding.run(WhenPersonErasedShred as never, erasure as never);
  expect(await data().open(sealed)).toBe(ERASED);
});

describe('The data of a payer without a valid tax id', () => {
  it('is reported and erased by the deposit', async () => {
    const person = { kind: 'deposit', depositId: FIRST } as const;
    expect(await report(person)).toBeNull();
    const sealed = await pays(FIRST, '', contracts.unidentifiedPayerIdOf(FIRST));
    await holds(person, 'held', [FIRST]);
    expect(await report({ kind: 'deposit', depositId: SECOND })).toBeNull();
    onboarding.advance(11 * YEAR_MS);
    expect(await erase(person)).toBe('erased');
    expect(await data().open(sealed)).toBe(ERASED);
  });
});
