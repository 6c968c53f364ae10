import { CAPABILITIES, GetAccount } from '@ponte/contracts';
import { systemContext } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import type { Engines } from '@ponte/nest';
import type { AccountOpening } from './account-commands';
import { AccountCommands } from './account-commands';
import { SandboxKeys } from './sandbox-keys';
import type { SandboxStaff } from './sandbox-staff';
import { seedStaff } from './sandbox-staff';

interface SandboxSeed {
  readonly partnerId: string;
  readonly subaccountId: string;
  /** The partner's read-write bearer key. */
  readonly apiKey: string;
  /** A partner that onboards in reliance mode, and its key. */
  readonly reliancePartnerId: string;
  readonly relianceApiKey: string;
  /** A partner in kyc mode without any capability, and its key. */
  readonly barePartnerId: string;
  readonly bareApiKey: string;
  /** The staff members who can sign in. */
  readonly staff: readonly SandboxStaff[];
}

/** The result of an earlier seeding, as far as the caller kept it. Only hashes of keys and passwords are stored. */
interface KnownSecrets {
  readonly relianceApiKey?: string | null | undefined;
  readonly bareApiKey?: string | null | undefined;
  readonly staff?: readonly SandboxStaff[] | undefined;
}

/** Ids derive from names, so that a second seeding finds what the first one created. */
const PARTNER_ID = derivedId('sandbox', 'partner');
const SUBACCOUNT_ID = derivedId('sandbox', 'sub-account');
const RELIANCE_PARTNER_ID = derivedId('sandbox', 'reliance-partner');
const BARE_PARTNER_ID = derivedId('sandbox', 'bare-partner');
const ACTOR = 'sandbox-seed';
const RATE_LOCKS = ['5m', '30m', '1h', '24h'].map((name) => `rate-lock-${name}`);

const PARTNER = {
  parentId: null,
  alias: 'Ponte Sandbox Partner',
  externalId: 'sandbox-partner',
  onboardingMode: 'kyc',
  capabilities: [...CAPABILITIES, ...RATE_LOCKS],
  legalName: 'Ponte Sandbox Partner Ltda',
  taxId: '11222333000181',
  bankAccount: null,
} as const;
const SUBACCOUNT = {
  parentId: PARTNER_ID,
  alias: 'Sandbox Account',
  externalId: 'sandbox-account',
  onboardingMode: null,
  capabilities: ['international-travels', 'pay-after-acceptance', ...RATE_LOCKS],
  legalName: 'Joana Exemplo da Silva',
  taxId: '52998224725',
  bankAccount: { bankCode: '001', branch: '1234', number: '1234567-8' },
} as const;
const RELIANCE_PARTNER = {
  ...PARTNER,
  alias: 'Ponte Sandbox Reliance Partner',
  externalId: 'sandbox-reliance-partner',
  onboardingMode: 'reliance',
  legalName: 'Ponte Sandbox Reliance Partner Ltda',
  taxId: '11444777000161',
} as const;
const BARE_PARTNER = {
  ...PARTNER,
  alias: 'Ponte Sandbox Bare Partner',
  externalId: 'sandbox-bare-partner',
  capabilities: [],
  legalName: 'Ponte Sandbox Bare Partner Ltda',
  taxId: '12ABC34501DE35',
} as const;

/**
 * Creates three partners, a sub-account of the first, a key for each partner, and staff who can sign in; later calls
 * find them again. `knownKey` and `known` are results of an earlier seeding. A key that is lost or no longer valid is
 * revoked and replaced.
 */
export async function seedSandbox(
  engines: Pick<Engines, 'bus' | 'personalData' | 'ids' | 'runtime'>,
  knownKey: string | null,
  known: KnownSecrets = {},
): Promise<SandboxSeed> {
  if (engines.runtime.environment !== 'sandbox') throw new Error('only a sandbox can be seeded');
  const commands = new AccountCommands(engines, ACTOR);
  const keys = new SandboxKeys(engines, commands, ACTOR);
  // Passwords are hashed in separate threads for a quarter of a second, while everything else continues.
  const [staff, [apiKey], relianceApiKey, bareApiKey] = await Promise.all([
    seedStaff(engines, known.staff ?? [], ACTOR),
    openMissing(engines, commands, PARTNER_ID, PARTNER).then(() =>
      Promise.all([
        keys.good('api-key', PARTNER_ID, knownKey),
        openMissing(engines, commands, SUBACCOUNT_ID, SUBACCOUNT),
      ]),
    ),
    openMissing(engines, commands, RELIANCE_PARTNER_ID, RELIANCE_PARTNER).then(() =>
      keys.good('reliance-api-key', RELIANCE_PARTNER_ID, known.relianceApiKey ?? null),
    ),
    openMissing(engines, commands, BARE_PARTNER_ID, BARE_PARTNER).then(() =>
      keys.good('bare-api-key', BARE_PARTNER_ID, known.bareApiKey ?? null),
    ),
  ]);
  return {
    partnerId: PARTNER_ID,
    subaccountId: SUBACCOUNT_ID,
    apiKey,
    reliancePartnerId: RELIANCE_PARTNER_ID,
    relianceApiKey,
    barePartnerId: BARE_PARTNER_ID,
    bareApiKey,
    staff,
  };
}

/** An account that already exists is left as its user has changed it. */
async function openMissing(
  { bus, ids }: Pick<Engines, 'bus' | 'ids'>,
  commands: AccountCommands,
  accountId: string,
  input: AccountOpening,
): Promise<void> {
  if ((await bus.request(GetAccount, { accountId }, systemContext(ids, ACTOR))) === null)
    await commands.openAccount(input, accountId);
}
