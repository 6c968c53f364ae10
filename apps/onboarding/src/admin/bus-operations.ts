import { randomBytes } from 'node:crypto';
import { freezeStepOf } from './bus-freeze-step';
import type { AddressDecision, AddressReviewShown, StaffSignIn } from './address-review-operations';
import { addressReviewShown } from './address-review-operations';
import type { AccountRecord, ApiKeyCredential, OpenAccountPayload, PageCursor } from '@ponte/contracts';
import * as contracts from '@ponte/contracts';
import type { MessageBus, PersonalData, ReplyOf, RequestContext, RequestDefinition } from '@ponte/event-sourcing';
import type { Ids } from '@ponte/kernel';
import { derivedId, isUuid, parseEvmAddress, parseInstant, refuse } from '@ponte/kernel';
import type { Engines, Environment } from '@ponte/nest';
import { systemContext } from '@ponte/nest';
import type {
  BankBehaviourCommand,
  CertificateInput,
  IssuedCertificate,
  CreatedKey,
  CreateKeyInput,
  FreezeStepInput,
  ListedWallet,
  OpenAccountInput,
  Operations,
  StaffAccount,
  StandingShown,
} from './operations';
import { cursorText } from './operations';

export interface BusOperationsOptions {
  readonly bus: Pick<MessageBus, 'request'>;
  readonly personalData: Pick<PersonalData, 'seal' | 'fingerprint'>;
  readonly ids: Ids;
  /** A secure source: keys and secrets come from it. */
  readonly randomBytes: (count: number) => Uint8Array;
  readonly environment: Environment;
  /** Who acts, as the events will say: never a person's name. */
  readonly actor: string;
}

/** Operations over the bus, which reaches onboarding wherever it runs. */
export class BusOperations implements Operations {
  constructor(private readonly options: BusOperationsOptions) {}

  /** `accountId`: for who must open the same account again and again; else it derives from the command. */
  async openAccount(input: OpenAccountInput, accountId?: string): Promise<StaffAccount> {
    const { parentId, alias, externalId, onboardingMode, capabilities } = input;
    const { personalData } = this.options;
    const holder = await contracts.sealHolder(personalData, input, { alias, externalId });
    const bankAccount =
      input.bankAccount && (await contracts.sealBankAccount(personalData, holder.holderId, input.bankAccount));
    const context = this.context();
    const id = accountId ?? derivedId('account', context.commandId);
    const payload: OpenAccountPayload = {
      ...holder,
      accountId: id,
      parentId,
      alias,
      externalId,
      onboardingMode,
      capabilities,
      bankAccount,
    };
    return staffAccount(await this.options.bus.request(contracts.OpenAccount, payload, context));
  }

  async changeCapabilities(
    accountId: string,
    { grant, revoke }: { grant: readonly string[]; revoke: readonly string[] },
  ): Promise<StaffAccount> {
    return staffAccount(await this.request(contracts.ChangeCapabilities, { accountId, grant, revoke }));
  }

  async createKey(input: CreateKeyInput, keyId = this.newKeyId()): Promise<CreatedKey> {
    const { accountId, name, access, ipAllowlist, rateLimits } = input;
    const secret = input.credential.kind === 'bearer' ? this.newSecret(keyId) : null;
    const credential =
      secret === null
        ? (input.credential as ApiKeyCredential)
        : ({ kind: 'bearer', secretHash: contracts.secretHashOf(secret) } as const);
    await this.request(contracts.CreateApiKey, { keyId, accountId, name, access, credential, ipAllowlist, rateLimits });
    return { keyId, accountId, access, secret };
  }

  async revokeKey(keyId: string, reason: string): Promise<{ keyId: string; revoked: boolean }> {
    const { revoked } = await this.request(contracts.RevokeApiKey, { keyId, reason });
    return { keyId, revoked };
  }

  async whitelistWallet({ accountId, address, fx }: ListedWallet): Promise<ListedWallet> {
    await this.request(contracts.WhitelistWallet, { accountId, address, fx, source: 'operator' });
    const { wallets } = await this.request(contracts.GetWhitelistedWallets, { accountId });
    const parsed = parseEvmAddress(address);
    const listed = wallets.find((one) => parsed.ok && one.address === parsed.address);
    if (!listed) throw new Error('the wallet was put on the list and is not on it');
    return { accountId, ...listed };
  }

  async issueCertificate({ reference, ...terms }: CertificateInput): Promise<IssuedCertificate> {
    const { id, accountId, walletAddress, amount, rewardTier, status } = await this.request(
      contracts.IssueCertificate,
      {
        ...terms,
        certificateId: derivedId('reward-certificate', 'reference', reference),
        otherwiseTier: null,
        issuedBy: this.options.actor,
      },
    );
    return { id, accountId, walletAddress, amount, rewardTier, status };
  }

  async listAccounts(limit: number, cursor: string | null): Promise<{ accounts: StaffAccount[]; next: string | null }> {
    const { items, next } = await this.request(contracts.ListAllAccounts, {
      page: { limit, cursor: cursorOf(cursor), createdFrom: null, createdTo: null },
    });
    return { accounts: items.map(staffAccount), next: cursorText(next) };
  }

  async showAccount(accountId: string): Promise<StaffAccount> {
    const record = await this.request(contracts.GetAccount, { accountId });
    return staffAccount(record ?? refuse('account-not-found', 'there is no such account', 'account-id'));
  }

  async freezeStep(input: FreezeStepInput): Promise<StandingShown> {
    const { accountId } = input;
    const staff = await this.signedIn(input);
    const { account, pending } = await freezeStepOf(input, staff, {
      personalData: this.options.personalData,
      request: (definition, payload) => this.request(definition, payload),
    });
    return { accountId, status: account.status, pendingStep: pending?.step ?? null };
  }

  async listAddressReviews(by: StaffSignIn): Promise<readonly AddressReviewShown[]> {
    await this.signedIn(by);
    return (await this.request(contracts.ListAddressReviews, {})).reviews.map(addressReviewShown);
  }

  async decideAddressReview(decision: AddressDecision): Promise<AddressReviewShown> {
    const { reviewId, verdict, reason } = decision;
    const { staffId, roles } = await this.signedIn(decision);
    if (!roles.includes('compliance-approver'))
      return refuse('role-not-allowed', 'an approver decides about an address', 'as');
    const payload = { reviewId, verdict, reason, staffId };
    return addressReviewShown(await this.request(contracts.DecideAddressReview, payload));
  }

  private async signedIn({ as, password }: StaffSignIn): Promise<contracts.StaffActor> {
    const sealed = await contracts.sealRequest(this.options.personalData, { secret: password });
    const user = await this.request(contracts.SignInStaff, { staffId: contracts.localStaffId(as), password: sealed });
    return user
      ? { staffId: user.staffId, roles: user.roles }
      : refuse(
          'sign-in-refused',
          'the name or the password is wrong, or staff of this installation sign in at the console alone',
        );
  }

  advanceClock(command: contracts.ClockAdvance): Promise<ReplyOf<typeof contracts.AdvanceClock>> {
    return this.request(contracts.AdvanceClock, command);
  }

  bank(): Promise<contracts.BankState> {
    return this.request(contracts.GetBank, {});
  }

  misbehave({ fault, ...behaviour }: BankBehaviourCommand): Promise<contracts.BankState> {
    return this.request(contracts.SetBankBehaviour, { ...behaviour, faults: fault ? [fault] : [] });
  }

  private newKeyId(): string {
    return contracts.newApiKeyId(this.options.environment, this.options.randomBytes(contracts.KEY_ID_BYTES));
  }

  private newSecret(keyId: string): string {
    if (this.options.environment !== 'sandbox')
      refuse('bearer-key-not-allowed', 'bearer keys exist in the sandbox alone', 'bearer');
    return contracts.newBearerSecret(keyId, this.options.randomBytes(contracts.SECRET_BYTES));
  }

  private request<P, R>(definition: RequestDefinition<P, R>, payload: P): Promise<R> {
    return this.options.bus.request(definition, payload, this.context());
  }

  private context(): RequestContext {
    return systemContext(this.options.ids, this.options.actor);
  }
}

/** Over the engines of this process. */
export const busOperations = (
  { bus, personalData, ids, runtime }: Pick<Engines, 'bus' | 'personalData' | 'ids' | 'runtime'>,
  actor: string,
): BusOperations => new BusOperations({ bus, personalData, ids, randomBytes, environment: runtime.environment, actor });

const staffAccount = ({
  accountId,
  parentId,
  alias,
  status,
  externalId,
  onboardingMode,
  capabilities,
  createdAt,
}: AccountRecord): StaffAccount => ({
  accountId,
  parentId,
  alias,
  status,
  externalId,
  onboardingMode,
  capabilities,
  createdAt,
});

function cursorOf(text: string | null): PageCursor | null {
  if (text === null) return null;
  const [createdAt = '', id] = text.split('_');
  return parseInstant(createdAt) !== undefined && isUuid(id)
    ? { createdAt, id }
    : refuse('invalid-cursor', 'a cursor is what the list before ended with', 'cursor');
}
