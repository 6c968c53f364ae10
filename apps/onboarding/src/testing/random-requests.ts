import * as fc from 'fast-check';
import type { ClearKycRequest } from '@ponte/contracts';
import type { FilesAndWallets } from '../request-rules/rule-inputs.domain';
import {
  ABROAD,
  FILES_AND_WALLETS,
  HOME,
  NO_PEP,
  ONE,
  PASSPORT,
  REQUEST,
  RG,
  TWO,
  brazilian,
  foreigner,
  wallet,
} from './kyc-request';

const document = fc.constantFrom(RG, PASSPORT, { ...PASSPORT, type: 'cnh' as const });
const pep = fc.constantFrom(NO_PEP, {
  declared: true,
  fullName: 'P E P',
  role: 'mayor',
  relationship: 'spouse' as const,
});
const home = fc
  .record({
    cpf: fc.constantFrom('52998224725', '111.444.777-35', '90000000175'),
    address: fc.constantFrom(HOME, ABROAD),
    document,
    pep,
    born: fc.date({ min: new Date('1930-01-01'), max: new Date('2008-11-20'), noInvalidDate: true }),
  })
  .map(({ cpf, address, document: shown, pep: exposed, born }) => ({
    ...brazilian,
    identifier: { value: cpf, country: 'BRA' },
    address,
    document: shown,
    pep: exposed,
    dateOfBirth: born.toISOString().slice(0, 10),
  }));
const away = fc
  .record({ passport: fc.stringMatching(/^[A-Z0-9]{5,20}$/), address: fc.constantFrom(HOME, ABROAD), pep })
  .map(({ passport, address, pep: exposed }) => ({
    ...foreigner,
    identifier: { value: passport, country: 'ARG' },
    taxResidence: 'DEU',
    document: PASSPORT,
    address,
    pep: exposed,
  }));
const person = fc.oneof(home, away);
/** Requests that violate no rule. */
export const valid = fc
  .record({
    holder: person,
    representative: fc.option(
      away.map((one) => ({
        ...one,
        identifier: { ...one.identifier, country: 'URY' },
        powerOfAttorneyFileId: 'ev_POWER',
      })),
    ),
    wallets: fc.constantFrom([], [wallet(ONE)], [wallet(ONE), wallet(TWO)]),
  })
  .map(({ holder, representative, wallets }): ClearKycRequest => ({
    ...REQUEST,
    ...holder,
    representative,
    externalWallets: wallets,
  }));
/** What the rules need besides the request. */
export const filesAndWallets: FilesAndWallets = {
  ...FILES_AND_WALLETS,
  takenWallets: new Set([`0x${'d'.repeat(40)}`]),
};
