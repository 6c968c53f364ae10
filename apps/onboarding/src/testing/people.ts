import type { ClearKycRequest, ClearRelianceRequest } from '@ponte/contracts';
import * as contracts from '@ponte/contracts';
import { evidenceFileId } from '@ponte/kernel';
import { AccountCommands } from '../sandbox/account-commands';
import type { OnboardingUnderTest } from './onboarding-under-test';
import { ulidBytes } from './ulid-bytes';

/** The CPF with these first nine digits. */
export function cpfOf(nine: number): string {
  const body = String(nine).padStart(9, '0');
  const digit = (text: string): string => {
    const rest = [...text].reverse().reduce((sum, character, at) => sum + Number(character) * (at + 2), 0) % 11;
    return rest < 2 ? '0' : String(11 - rest);
  };
  const first = body + digit(body);
  return first + digit(first);
}

export async function openParent(
  test: OnboardingUnderTest,
  mode: 'kyc' | 'reliance' = 'kyc',
  capabilities: readonly string[] = contracts.CAPABILITIES,
): Promise<string> {
  const { accountId } = await new AccountCommands(test.engines, 'test').openAccount({
    parentId: null,
    alias: `Partner ${mode}`,
    externalId: null,
    onboardingMode: mode,
    capabilities,
    legalName: 'Acme SA',
    taxId: '11222333000181',
    bankAccount: null,
  });
  return accountId;
}

let files = 0;

export async function upload(
  test: OnboardingUnderTest,
  parentId: string,
  purpose: contracts.EvidencePurpose = 'document-front',
): Promise<string> {
  files += 1;
  const fileId = evidenceFileId(ulidBytes(1_790_000_000_000 + files, Buffer.alloc(10, files % 251)));
  await test.ask(contracts.RegisterEvidenceFile, {
    fileId,
    parentId,
    purpose,
    contentType: 'image/png',
    sizeBytes: 1234,
    sha256: 'ab'.repeat(32),
  });
  return fileId;
}

/** A valid request, with an uploaded CNH. */
export async function requestFor(
  test: OnboardingUnderTest,
  parentId: string,
  cpf: string,
  change: Partial<ClearKycRequest> = {},
): Promise<ClearKycRequest> {
  return {
    identifier: { value: cpf, country: 'BRA' },
    taxResidence: 'BRA',
    rewardTier: 90,
    firstName: 'Joana',
    lastName: 'Lima',
    email: 'joana@example.com',
    phone: '+55 11 91234-5678',
    dateOfBirth: '1990-05-17',
    motherFullName: 'Maria Lima',
    address: {
      postalCode: '01310-100',
      line1: 'Av. Paulista 1000',
      line2: '',
      city: 'São Paulo',
      state: 'SP',
      country: 'BRA',
    },
    document: { type: 'cnh', frontFileId: await upload(test, parentId), backFileId: null },
    liveness: { id: `session-${cpf}`, provider: 'provider-1' },
    pep: { declared: false, fullName: null, role: null, relationship: null },
    financialProfile: {
      sector: 'other',
      currency: 'BRL',
      monthlyIncome: 5000.5,
      netWorth: null,
      sourceOfFunds: ['salary'],
    },
    representative: null,
    externalWallets: [],
    externalId: null,
    ...change,
  };
}

export const bySelf = (address: string): ClearKycRequest['externalWallets'][number] => ({
  address,
  custodyType: 'self',
  custodyCountry: null,
  custodianName: null,
  proof: null,
});

export async function post(
  test: OnboardingUnderTest,
  parentId: string,
  request: ClearKycRequest,
): Promise<contracts.RequestedAccount> {
  return test.ask(contracts.CreateAccountRequest, {
    parentId,
    body: await contracts.sealRequest(test.engines.personalData, request),
  });
}

export async function postReliance(
  test: OnboardingUnderTest,
  parentId: string,
  cpf: string,
  change: Partial<ClearRelianceRequest> = {},
): Promise<contracts.RequestedAccount> {
  const request: ClearRelianceRequest = {
    identifier: { value: cpf, country: 'BRA' },
    taxDocumentType: 'cpf',
    taxResidence: 'BRA',
    kycAttestationId: 'att-1',
    rewardTier: 90,
    externalWallets: [],
    externalId: null,
    ...change,
  };
  return test.ask(contracts.CreateRelianceRequest, {
    parentId,
    body: await contracts.sealRequest(test.engines.personalData, request),
  });
}

export const ANALYST: contracts.StaffActor = {
  staffId: '0190b3c4-0000-7000-8000-000000000001',
  roles: ['compliance-analyst'],
};
export const APPROVER: contracts.StaffActor = {
  staffId: '0190b3c4-0000-7000-8000-000000000002',
  roles: ['compliance-approver'],
};
export const OTHER_APPROVER: contracts.StaffActor = {
  staffId: '0190b3c4-0000-7000-8000-000000000003',
  roles: ['compliance-approver'],
};
export const AUDITOR: contracts.StaffActor = { staffId: '0190b3c4-0000-7000-8000-000000000004', roles: ['auditor'] };
export const OPERATOR: contracts.StaffActor = { staffId: '0190b3c4-0000-7000-8000-000000000005', roles: ['operator'] };
