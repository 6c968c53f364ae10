import type { Violation } from '@ponte/kernel';
import type {
  ClearAddress,
  ClearInformation,
  ClearKycRequest,
  ClearPep,
  ClearRepresentative,
  DocumentFiles,
} from '@ponte/contracts';
import type { FilesAndWallets } from '../request-rules/rule-inputs.domain';

const NOW = Date.parse('2026-11-21T12:00:00.000Z');
export const NO_PEP: ClearPep = { declared: false, fullName: null, role: null, relationship: null };
export const HOME: ClearAddress = {
  postalCode: '01310-100',
  line1: 'Av. Paulista 1000',
  line2: '',
  city: 'São Paulo',
  state: 'SP',
  country: 'BRA',
};
export const ABROAD: ClearAddress = {
  postalCode: 'SW1A 1AA',
  line1: '10 Downing Street',
  line2: '',
  city: 'London',
  state: null,
  country: 'GBR',
};
export const RG: DocumentFiles = { type: 'rg', frontFileId: 'ev_FRONT', backFileId: 'ev_BACK' };
export const PASSPORT: DocumentFiles = { type: 'passport', frontFileId: 'ev_PASS', backFileId: null };
export const brazilian = {
  identifier: { value: '529.982.247-25', country: 'BRA' },
  taxResidence: 'BRA',
  firstName: 'Joana',
  lastName: 'Lima',
  dateOfBirth: '1990-05-17',
  address: HOME,
  document: RG,
  pep: NO_PEP,
};
export const foreigner = {
  identifier: { value: 'AB 123456', country: 'GBR' },
  taxResidence: 'GBR',
  firstName: 'Ann',
  lastName: 'Smith',
  dateOfBirth: '1980-01-02',
  address: ABROAD,
  document: { ...PASSPORT, frontFileId: 'ev_REP' },
  pep: NO_PEP,
};
export const REPRESENTATIVE: ClearRepresentative = { ...foreigner, powerOfAttorneyFileId: 'ev_POWER' };

/** A request without violations, of a holder in Brazil. */
export const REQUEST: ClearKycRequest = {
  ...brazilian,
  rewardTier: 90,
  email: 'joana@example.com',
  phone: '+55 11 91234-5678',
  motherFullName: 'Maria Lima',
  liveness: { id: 'session-1', provider: 'provider-1' },
  financialProfile: { sector: 'other', currency: 'BRL', monthlyIncome: 5000, netWorth: null, sourceOfFunds: null },
  representative: null,
  externalWallets: [],
  externalId: null,
};

/** Further information that has nothing in it. */
export const NO_INFORMATION: ClearInformation = {
  address: null,
  document: null,
  liveness: null,
  representativeAddress: null,
  representativeDocument: null,
  powerOfAttorneyFileId: null,
  otherFileIds: [],
  note: null,
};

/** The state of files and wallets when the request is checked: no wallet is refused. */
export const FILES_AND_WALLETS: FilesAndWallets = {
  nowMs: NOW,
  knownFiles: new Set(['ev_FRONT', 'ev_BACK', 'ev_PASS', 'ev_REP', 'ev_POWER']),
  houseWallets: new Map(),
  takenWallets: new Set(),
  disprovenWallets: new Set(),
};
export const wallet = (address: string) => ({
  address,
  custodyType: 'self' as const,
  custodyCountry: null,
  custodianName: null,
  proof: null,
});
export const ONE = '0x52908400098527886e0f7030069857d2e4169ee7';
export const TWO = '0x00000000000000000000000000000000000000aa';

/** Code and path of each violation. */
export const reported = (violations: readonly Violation[]): string[] =>
  violations.map(({ code, path }) => `${code} ${path}`);

/** A request whose representative differs by `change`. */
export const withRepresentative = (change: Partial<ClearRepresentative>): Partial<ClearKycRequest> => ({
  representative: { ...REPRESENTATIVE, ...change },
});
