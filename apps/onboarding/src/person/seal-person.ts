import type {
  ClearAddress,
  ClearExternalWallet,
  ClearIdentifier,
  ClearLiveness,
  ClearPerson,
  ClearRepresentative,
  Identity,
  LivenessSession,
  SealedExternalWallet,
  SealedKycPerson,
  SealedPerson,
  SealedRepresentative,
} from '@ponte/contracts';
import { holderIdOf, identityFingerprint, openSecret, parseIdentity } from '@ponte/contracts';
import type { PersonalData, Sealed } from '@ponte/event-sourcing';
import { SubjectErased } from '@ponte/event-sourcing';
import { maskCpf, parseCountry, parseEvmAddress, refuse } from '@ponte/kernel';

type Sealing = Pick<PersonalData, 'seal' | 'fingerprint'>;

/** The rules have passed, so these values parse. A failure here is a bug of ours. */
export function identityOf(identifier: ClearIdentifier): Identity {
  const identity = parseIdentity(identifier);
  if (!identity) throw new TypeError('an identifier passed the rules but cannot be parsed');
  return identity;
}

/**
 * Encrypts an identity under a subject that derives from its fingerprint, so the same person always gets the same
 * subject.
 */
export async function sealIdentity(
  personalData: Sealing,
  identity: Identity,
  taxResidence: string,
): Promise<SealedPerson> {
  const fingerprint = identityFingerprint(personalData, identity);
  const subjectId = holderIdOf(fingerprint);
  const [identifier, maskedIdentifier] = await Promise.all([
    personalData.seal(subjectId, identity.number),
    personalData.seal(subjectId, masked(identity)),
  ]);
  return {
    subjectId,
    identifierFingerprint: fingerprint,
    country: identity.country,
    identifier,
    maskedIdentifier,
    taxResidence: countryOf(taxResidence),
  };
}

/**
 * Encrypts a person of a request in kyc mode. The details of a PEP are left out unless the person is declared to be
 * one.
 */
export async function sealKycPerson(personalData: Sealing, clear: ClearPerson): Promise<SealedKycPerson> {
  const person = await sealIdentity(personalData, identityOf(clear.identifier), clear.taxResidence);
  const seal = sealer(personalData, person.subjectId);
  const { firstName, lastName, dateOfBirth, address, pep, document } = clear;
  const [first, last, birth, home, politics] = await Promise.all([
    seal(firstName),
    seal(lastName),
    seal(dateOfBirth),
    sealAddress(personalData, person.subjectId, address),
    seal(JSON.stringify(pep.declared ? pep : { declared: false, fullName: null, role: null, relationship: null })),
  ]);
  return { ...person, firstName: first, lastName: last, dateOfBirth: birth, address: home, pep: politics, document };
}

export const sealAddress = (
  personalData: Pick<PersonalData, 'seal'>,
  subjectId: string,
  address: ClearAddress,
): Promise<Sealed> => personalData.seal(subjectId, JSON.stringify({ ...address, country: countryOf(address.country) }));

export async function sealRepresentative(
  personalData: Sealing,
  clear: ClearRepresentative,
): Promise<SealedRepresentative> {
  return { ...(await sealKycPerson(personalData, clear)), powerOfAttorneyFileId: clear.powerOfAttorneyFileId };
}

/** The fingerprint by which a liveness session is found. Its id is stored only encrypted. */
export const livenessFingerprint = (
  personalData: Pick<PersonalData, 'fingerprint'>,
  { provider, id }: ClearLiveness,
): string => personalData.fingerprint('liveness-session', `${provider}:${id}`);

/** The provider's event id may contain the session's id, so it is stored as a fingerprint too. */
export const livenessWord = (
  personalData: Pick<PersonalData, 'fingerprint'>,
  provider: string,
  eventId: string,
): string => personalData.fingerprint('liveness-event', `${provider}:${eventId}`);

export const sealLiveness = async (
  personalData: Sealing,
  subjectId: string,
  session: ClearLiveness,
): Promise<LivenessSession> => ({
  provider: session.provider,
  id: await personalData.seal(subjectId, session.id),
  fingerprint: livenessFingerprint(personalData, session),
});

/** The proofs were checked before: an invalid one was refused. */
export const sealWallets = (
  personalData: Sealing,
  subjectId: string,
  wallets: readonly ClearExternalWallet[],
): Promise<SealedExternalWallet[]> =>
  Promise.all(
    wallets.map(async ({ address: text, custodyType, custodyCountry, custodianName, proof }) => {
      const parsed = parseEvmAddress(text);
      if (!parsed.ok) throw new TypeError('an address passed the rules but cannot be parsed');
      return {
        address: parsed.address,
        custodyType,
        custodyCountry: custodyCountry === null ? null : countryOf(custodyCountry),
        custodianName: custodianName === null ? null : await personalData.seal(subjectId, custodianName),
        signedMessage: proof === null ? null : await personalData.seal(subjectId, proof.message),
      };
    }),
  );

/** Reseals a text from the transit subject (`sealRequest`) to the person's own subject. Null stays null. */
export const resealed = async (
  personalData: Pick<PersonalData, 'seal' | 'open'>,
  subjectId: string,
  text: Sealed | null,
): Promise<Sealed | null> =>
  text === null ? null : personalData.seal(subjectId, await openSecret(personalData, text));

/** Encrypts texts under one subject. */
export const sealer =
  (personalData: Pick<PersonalData, 'seal'>, subjectId: string) =>
  (text: string): Promise<Sealed> =>
    personalData.seal(subjectId, text);

function countryOf(text: string): string {
  const code = parseCountry(text);
  if (code === undefined) throw new TypeError('a country passed the rules but cannot be parsed');
  return code;
}

/** For passports and national ids, the last three characters are shown. */
const masked = ({ document, number }: Identity): string =>
  document === 'cpf' ? maskCpf(number) : `***${number.slice(-3)}`;

/** Refuses new data of a person whose data was erased. */
export const refusePersonErased = (): never =>
  refuse('person-erased', 'the data of this person was permanently erased', 'identifier');

/** An erased person cannot be recorded again: the key is destroyed, and a new key would undo the erasure. */
export const refusingErased = <T>(sealing: Promise<T>): Promise<T> =>
  sealing.catch((error: unknown) => {
    if (error instanceof SubjectErased) return refusePersonErased();
    throw error;
  });
