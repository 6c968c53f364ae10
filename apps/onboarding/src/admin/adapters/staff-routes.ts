import type { AdvanceClock, BankState, ClockAdvance } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import type { Violation } from '@ponte/kernel';
import { Refusal, refuse, Unavailable } from '@ponte/kernel';
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
  StaffAccountsPage,
  StandingShown,
} from '../operations';
import type { AddressDecision, AddressReviewShown, StaffSignIn } from '../address-review-operations';
import type {
  WireAccount,
  WireAddressReview,
  WireAddressReviews,
  WireCertificate,
  WireClock,
  WireError,
  WireKey,
  WireListedWallet,
  WireStanding,
} from './wire';
import { accountOf, addressReviewOf, bodyOfKey, certificateOf, bodyOfOpening } from './wire';

/** A local service that takes longer is stuck. */
const TIMEOUT_MS = 15_000;
const LARGEST_PAGE = 200;
const FREEZE_PATHS = {
  freeze: 'freeze',
  release: 'release',
  'confirm-freeze': 'freeze/confirm',
  'confirm-release': 'release/confirm',
  close: 'freeze-request/close',
} as const satisfies Record<FreezeStepInput['step'], string>;

export interface StaffRoutesOptions {
  /** Of the running gateway, without a slash at the end. */
  readonly baseUrl: string;
  readonly token: string;
}

/** A call within the session of a member of staff. Throws what the gateway refuses. */
type StaffCall = <T>(method: 'GET' | 'POST', path: string, body?: object) => Promise<T>;

/** Operations over the staff routes of a running gateway: the way in while another process owns the data folder. */
export class StaffRoutes implements Operations {
  constructor(private readonly options: StaffRoutesOptions) {}

  async openAccount(input: OpenAccountInput): Promise<StaffAccount> {
    const { body } = await this.call<{ account: WireAccount }>('POST', '/staff/accounts', bodyOfOpening(input));
    return accountOf(body.account);
  }

  async changeCapabilities(
    accountId: string,
    change: { readonly grant: readonly string[]; readonly revoke: readonly string[] },
  ): Promise<StaffAccount> {
    const { body } = await this.call<{ account: WireAccount }>(
      'POST',
      `/staff/accounts/${encodeURIComponent(accountId)}/capabilities`,
      change,
    );
    return accountOf(body.account);
  }

  async createKey(input: CreateKeyInput): Promise<CreatedKey> {
    const { body } = await this.call<{ 'api-key': WireKey }>(
      'POST',
      `/staff/accounts/${encodeURIComponent(input.accountId)}/api-keys`,
      bodyOfKey(input),
    );
    const key = body['api-key'];
    return { keyId: key.id, accountId: key['account-id'], access: key.access, secret: key.secret ?? null };
  }

  async revokeKey(keyId: string, reason: string): Promise<{ keyId: string; revoked: boolean }> {
    const { body } = await this.call<{ 'api-key': WireKey }>(
      'POST',
      `/staff/api-keys/${encodeURIComponent(keyId)}/revoke`,
      { reason },
    );
    return { keyId: body['api-key'].id, revoked: body['api-key'].revoked };
  }

  async whitelistWallet({ accountId, address, fx }: ListedWallet): Promise<ListedWallet> {
    const { body } = await this.call<{ wallet: WireListedWallet }>(
      'POST',
      `/staff/accounts/${encodeURIComponent(accountId)}/whitelisted-wallets`,
      { address, fx },
    );
    return { accountId, address: body.wallet.address, fx: body.wallet.fx };
  }

  async issueCertificate({
    accountId,
    walletAddress,
    amount,
    rewardTier,
    reference,
  }: CertificateInput): Promise<IssuedCertificate> {
    const { body } = await this.call<{ 'reward-certificate': WireCertificate }>(
      'POST',
      `/staff/accounts/${encodeURIComponent(accountId)}/reward-certificates`,
      {
        reference,
        'wallet-address': walletAddress,
        amount,
        ...(rewardTier === null ? {} : { 'reward-tier': rewardTier }),
      },
    );
    return certificateOf(body['reward-certificate']);
  }

  async listAccounts(limit: number, cursor: string | null): Promise<StaffAccountsPage> {
    const query = new URLSearchParams({ limit: String(limit), ...(cursor === null ? {} : { cursor }) });
    const { body, next } = await this.call<{ accounts: WireAccount[] }>('GET', `/staff/accounts?${query.toString()}`);
    return { accounts: body.accounts.map(accountOf), next };
  }

  /** There is no route for one account, so the list is looked through. */
  async showAccount(accountId: string): Promise<StaffAccount> {
    for (let cursor: string | null = null; ;) {
      const { accounts, next }: StaffAccountsPage = await this.listAccounts(LARGEST_PAGE, cursor);
      const found = accounts.find((account) => account.accountId === accountId);
      if (found) return found;
      cursor = next ?? refuse('account-not-found', 'there is no such account', 'account-id');
    }
  }

  freezeStep(input: FreezeStepInput): Promise<StandingShown> {
    const { accountId } = input;
    const body = 'reason' in input ? { reason: input.reason, evidence: input.evidence } : undefined;
    return this.asStaff(input, async (call) => {
      const path = `/staff/v1/accounts/${encodeURIComponent(accountId)}/${FREEZE_PATHS[input.step]}`;
      const { account } = await call<{ account: WireStanding }>('POST', path, body);
      return { accountId: account.id, status: account.status, pendingStep: account['pending-step'] };
    });
  }

  listAddressReviews(by: StaffSignIn): Promise<readonly AddressReviewShown[]> {
    return this.asStaff(by, async (call) =>
      (await call<WireAddressReviews>('GET', '/staff/v1/address-reviews'))['address-reviews'].map(addressReviewOf),
    );
  }

  decideAddressReview(decision: AddressDecision): Promise<AddressReviewShown> {
    const { reviewId, verdict, reason } = decision;
    return this.asStaff(decision, async (call) => {
      const path = `/staff/v1/address-reviews/${encodeURIComponent(reviewId)}/verdict`;
      const answer = await call<{ 'address-review': WireAddressReview }>('POST', path, { verdict, reason });
      return addressReviewOf(answer['address-review']);
    });
  }

  /** By the routes of the console: a session for one step. */
  private async asStaff<R>({ as, password }: StaffSignIn, work: (call: StaffCall) => Promise<R>): Promise<R> {
    const { response, answer } = await this.ask<{ session: { 'csrf-token': string } }>(
      'POST',
      '/staff/v1/session',
      { name: as, password },
      {},
    );
    if (!response.ok) throw refusalOf(response.status, answer);
    const cookies = response.headers.getSetCookie().map((one) => one.split(';')[0]);
    const session = { cookie: cookies.join('; '), 'x-csrf-token': answer.session['csrf-token'] };
    try {
      return await work(async <T>(method: 'GET' | 'POST', path: string, body?: object) => {
        const asked = await this.ask<T>(method, path, body, session);
        if (!asked.response.ok) throw refusalOf(asked.response.status, asked.answer);
        return asked.answer;
      });
    } finally {
      await this.ask('DELETE', '/staff/v1/session', undefined, session).catch(() => undefined);
    }
  }

  async advanceClock({ seconds, until }: ClockAdvance): Promise<ReplyOf<typeof AdvanceClock>> {
    const {
      body: { clock },
    } = await this.call<{ clock: WireClock }>('POST', '/staff/sandbox/clock/advance', given({ seconds, until }));
    return { now: clock.now, aheadMs: clock['ahead-seconds'] * 1000 };
  }

  async bank(): Promise<BankState> {
    return (await this.call<{ bank: BankState }>('GET', '/staff/sandbox/bank')).body.bank;
  }

  async misbehave(command: BankBehaviourCommand): Promise<BankState> {
    return (await this.call<{ bank: BankState }>('POST', '/staff/sandbox/bank', given(bankBody(command)))).body.bank;
  }

  private async call<T>(
    method: 'GET' | 'POST',
    path: string,
    body?: object,
  ): Promise<{ body: T; next: string | null }> {
    const { response, answer } = await this.ask<T>(method, path, body);
    if (!response.ok) throw refusalOf(response.status, answer);
    return { body: answer, next: response.headers.get('x-next-cursor') };
  }

  /** Errors never contain the request or the response. */
  private async ask<T>(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: object,
    session?: Readonly<Record<string, string>>,
  ): Promise<{ response: Response; answer: T & WireError }> {
    try {
      const response = await fetch(this.options.baseUrl + path, {
        method,
        headers: {
          ...(session ?? { authorization: `Staff ${this.options.token}` }),
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      return { response, answer: (await response.json()) as T & WireError };
    } catch {
      throw new Unavailable(
        'service-unavailable',
        `no answer from ${this.options.baseUrl}; look with account:list whether it was done before doing it again`,
      );
    }
  }
}

/** A member that is more than one word is spelled otherwise on the wire. */
const bankBody = ({ takeBack = null, ...command }: BankBehaviourCommand): object => ({
  ...command,
  'take-back': takeBack,
});

/** Members without a value are left out. */
const given = (command: object): object =>
  Object.fromEntries(Object.entries(command).filter(([, value]) => value !== null));

function refusalOf(status: number, { error }: WireError): Error {
  if (status >= 500)
    return new Unavailable('service-unavailable', `the service answered ${status} ${error?.code ?? ''}`.trim());
  if (!error) return new Error(`the service answered ${status} in a form that is not its own`);
  const own: Violation = { code: error.code, path: '', message: error.message };
  return new Refusal(error.details && error.details.length > 0 ? error.details : [own]);
}
