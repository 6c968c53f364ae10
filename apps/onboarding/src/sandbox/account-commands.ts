import { randomBytes } from 'node:crypto';
import type { AccountRecord, ClearBankAccount, ClearHolder, OnboardingMode } from '@ponte/contracts';
import * as contracts from '@ponte/contracts';
import { derivedId } from '@ponte/kernel';
import type { Engines } from '@ponte/nest';
import { systemContext } from '@ponte/nest';

/** An account to be opened, with personal members in clear: they are sealed before they are sent. */
export interface AccountOpening extends ClearHolder {
  /** Null opens a partner. */
  readonly parentId: string | null;
  readonly alias: string;
  readonly externalId: string | null;
  /** Only of a partner. */
  readonly onboardingMode: OnboardingMode | null;
  readonly capabilities: readonly string[];
  readonly bankAccount: ClearBankAccount | null;
}

/** The commands about accounts and keys that a sandbox is prepared with, over the bus. */
export class AccountCommands {
  constructor(
    private readonly engines: Pick<Engines, 'bus' | 'personalData' | 'ids'>,
    /** Who acts, as the events will say: never the name of a person. */
    private readonly actor: string,
  ) {}

  /** The id derives from the command unless it is given: opening an account again under its id changes nothing. */
  async openAccount(input: AccountOpening, accountId?: string): Promise<AccountRecord> {
    const { bus, personalData } = this.engines;
    const { legalName, taxId, bankAccount, ...account } = input;
    const holder = await contracts.sealHolder(personalData, { legalName, taxId }, account);
    const context = this.context();
    return bus.request(
      contracts.OpenAccount,
      {
        ...holder,
        ...account,
        accountId: accountId ?? derivedId('account', context.commandId),
        bankAccount: bankAccount && (await contracts.sealBankAccount(personalData, holder.holderId, bankAccount)),
      },
      context,
    );
  }

  /** A read-write bearer key under the given id; returns its secret, which is stored as a hash only. */
  async createBearerKey(accountId: string, keyId: string): Promise<string> {
    const secret = contracts.newBearerSecret(keyId, randomBytes(contracts.SECRET_BYTES));
    await this.engines.bus.request(
      contracts.CreateApiKey,
      {
        keyId,
        accountId,
        name: 'sandbox',
        access: 'read-write',
        credential: { kind: 'bearer', secretHash: contracts.secretHashOf(secret) },
        ipAllowlist: [],
        rateLimits: null,
      },
      this.context(),
    );
    return secret;
  }

  async revokeKey(keyId: string, reason: string): Promise<void> {
    await this.engines.bus.request(contracts.RevokeApiKey, { keyId, reason }, this.context());
  }

  private context = () => systemContext(this.engines.ids, this.actor);
}
