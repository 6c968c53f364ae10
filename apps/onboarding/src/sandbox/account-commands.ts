import { randomBytes } from 'node:crypto';
import type { AccountRecord, ClearBankAccount, ClearHolder, OpenAccountPayload } from '@ponte/contracts';
import * as contracts from '@ponte/contracts';
import { systemContext } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import type { Engines } from '@ponte/nest';

/** An account to open, with personal fields in clear. They are sealed before they are sent. */
export interface AccountOpening
  extends
    ClearHolder,
    Pick<OpenAccountPayload, 'parentId' | 'alias' | 'externalId' | 'onboardingMode' | 'capabilities'> {
  readonly bankAccount: ClearBankAccount | null;
}

/** Sends the commands about accounts and keys that prepare a sandbox, over the bus. */
export class AccountCommands {
  constructor(
    private readonly engines: Pick<Engines, 'bus' | 'personalData' | 'ids'>,
    /** The actor recorded in the events; never a person's name. */
    private readonly actor: string,
  ) {}

  /** Without an `accountId` the id derives from the command. Opening an account again under its id changes nothing. */
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

  /** Creates a read-write bearer key with the given id. Returns its secret, of which only a hash is stored. */
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
