import { Inject, Injectable } from '@nestjs/common';
import { behindEvent } from '@ponte/event-sourcing';
import type { PersonMention, PrivacyReport, Timestamp } from '@ponte/contracts';
import type { Clock } from '@ponte/kernel';
import { fromIso, isoTime } from '@ponte/kernel';
import { CLOCK } from '@ponte/nest';
import { fileIdsOf } from '../account-request/files.domain';
import type { OpenRequest } from '../account-request/account-request.state';
import { isFreed, isNamedIn } from '../account-request/account-request.state';
import type { NotedMention, Person } from './person.decider';
import { mentionsOf } from './person.decider';
import type { OnboardingSettings } from '../onboarding-settings.port';
import { ONBOARDING_SETTINGS_OF } from '../onboarding-settings.port';
import { Accounts } from '../account/accounts.service';
import { AccountRequests } from '../account-request/account-requests.service';
import { EvidenceFiles } from '../evidence-file/evidence-files.repository';

type Holding = PrivacyReport['holdings'][number];

const KYC = {
  purpose: 'to know the customer, before and while the account is served',
  legalBasis: 'legal obligation: prevention of money laundering, lei-9613-1998',
};
const CONTRACT = {
  purpose: 'to serve the account: balances, payments, records',
  legalBasis: 'contract, and legal obligation to keep records',
};
const PAYMENT = {
  purpose: 'to return the payment, and to know where money came from',
  legalBasis: 'legal obligation: prevention of money laundering, lei-9613-1998',
};
const PERSON = ['identifier', 'tax-residence'];
const KYC_PERSON = [...PERSON, 'name', 'date-of-birth', 'address', 'document', 'pep'];

/** A record is mentioned before it is written. One that is still absent this long afterwards was refused. */
const REFUSED_AFTER_MS = 86_400_000;

/** Lists the data held about a person, and until when it is kept. */
@Injectable()
export class PersonalDataInventory {
  constructor(
    private readonly requests: AccountRequests,
    private readonly accounts: Accounts,
    private readonly files: EvidenceFiles,
    @Inject(ONBOARDING_SETTINGS_OF) private readonly settings: OnboardingSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * For an erased person, the data that was held, without files: any that remain are kept for another person's record.
   * If later records hold data of the person again, only that data.
   */
  async of(subjectId: string, person: Person): Promise<Holding[]> {
    const { status, isKeyDestroyed, findings } = person;
    const mentions = mentionsOf(person);
    const shown = status === 'erased' ? mentions : mentions.filter(({ isErased }) => !isErased);
    const holdings = (await Promise.all(shown.map((one) => this.ofMention(subjectId, one, findings)))).flat();
    return isKeyDestroyed ? holdings.filter(({ kind }) => kind !== 'evidence-file') : holdings;
  }

  /** Ids of the files that show the person. */
  async fileIds(subjectId: string, person: Person): Promise<string[]> {
    const named = await Promise.all(
      mentionsOf(person).map(async ({ mention, at }) => {
        if (mention.kind !== 'account-request') return [];
        const state = await this.requests.load(mention.requestId);
        // An erasure waits for a request that is coming, so an absent request means an old state.
        if (state.status === 'absent' && this.isRecent(at))
          behindEvent(`account request ${mention.requestId}`, state.status);
        return isNamedIn(state, mention.role, subjectId) ? fileIdsOf(state, mention.role) : [];
      }),
    );
    return [...new Set(named.flat())];
  }

  /** The end of the longest retention period; null while a record is still in use. */
  retainedUntil(holdings: readonly Holding[]): Timestamp | null {
    const ends = holdings.map(({ retainedUntil }) => retainedUntil);
    return ends.includes(null) ? null : (ends.sort().at(-1) ?? null);
  }

  private async ofMention(
    subjectId: string,
    { mention, at: since }: NotedMention,
    findings: Person['findings'],
  ): Promise<Holding[]> {
    const names = ['name', 'tax-id', 'bank-account'];
    const paid = () => ({ ...PAYMENT, since, retainedUntil: this.yearsAfter(since) });
    switch (mention.kind) {
      case 'account': {
        const state = await this.accounts.load(mention.accountId);
        if (state.status === 'absent' && !this.isRecent(since)) return [];
        const closedAt = state.status === 'absent' ? null : state.closedAt;
        const contract = { ...CONTRACT, since, retainedUntil: closedAt === null ? null : this.yearsAfter(closedAt) };
        const isFound = findings.some(({ accountId }) => accountId === mention.accountId);
        const categories = isFound ? [...names, 'screening-results'] : names;
        return [{ kind: 'account', id: mention.accountId, role: 'account-holder', categories, ...contract }];
      }
      case 'withdrawal': {
        const categories = [...names, 'pix-key'];
        return [{ kind: 'withdrawal', id: mention.withdrawalId, role: 'payee', categories, ...paid() }];
      }
      case 'deposit':
        return [{ kind: 'deposit', id: mention.depositId, role: 'payer', categories: names, ...paid() }];
      case 'account-request': {
        const state = await this.requests.load(mention.requestId);
        if (state.status === 'absent' && this.isRecent(since)) return [announcedRequest(mention, since)];
        return isNamedIn(state, mention.role, subjectId)
          ? [this.ofRequest(state, mention.role), ...(await this.ofFiles(state, mention.role))]
          : [];
      }
    }
  }

  private ofRequest(state: OpenRequest, role: 'holder' | 'representative'): Holding {
    const { requestId, requestedAt, details } = state.terms;
    const holder = [...KYC_PERSON, 'email', 'phone', 'mother-name', 'financial-profile', 'liveness-session'];
    const categories =
      details.mode === 'reliance'
        ? [...PERSON, 'kyc-attestation']
        : role === 'holder'
          ? holder
          : [...KYC_PERSON, 'power-of-attorney'];
    return {
      kind: 'account-request',
      id: requestId,
      role,
      categories: [...categories, ...addedCategories(state, role)],
      ...KYC,
      since: requestedAt,
      retainedUntil: this.endOf(state),
    };
  }

  private async ofFiles(state: OpenRequest, role: 'holder' | 'representative'): Promise<Holding[]> {
    const files = await Promise.all(fileIdsOf(state, role).map((fileId) => this.files.load(fileId)));
    const kept = files.flatMap((file) => (file.status === 'kept' ? [file.terms] : []));
    return kept.map(({ fileId, purpose, uploadedAt }) => ({
      ...{ kind: 'evidence-file', id: fileId, role, categories: [purpose], ...KYC },
      ...{ since: uploadedAt, retainedUntil: this.endOf(state) },
    }));
  }

  private endOf(state: OpenRequest): Timestamp | null {
    return isFreed(state) ? this.yearsAfter(state.accountClosedAt ?? state.statusUpdatedAt) : null;
  }

  private isRecent(since: Timestamp): boolean {
    return this.clock.now() - fromIso(since) < REFUSED_AFTER_MS;
  }

  private yearsAfter(at: Timestamp): Timestamp {
    return yearsLater(at, this.settings.retentionYears);
  }
}

/** A request that may be appended at any moment, so the data of its people is in use. */
const announcedRequest = (
  { requestId: id, role }: Extract<PersonMention, { kind: 'account-request' }>,
  since: Timestamp,
): Holding => ({ kind: 'account-request', id, role, categories: PERSON, ...KYC, since, retainedUntil: null });

/** Data that did not come from the partner's form: texts written about a person are that person's data too. */
function addedCategories(
  { screening, causes, parts, verdicts, terms: { externalWallets } }: OpenRequest,
  role: 'holder' | 'representative',
): string[] {
  const screened = screening.some(({ person }) => person === role) ? ['screening-results'] : [];
  const isJudged = verdicts.some(({ person, note }) => person === role && note !== null);
  if (role === 'representative') return [...screened, ...(isJudged ? ['review-notes'] : [])];
  const isReviewed = causes.length > 0 || parts.notes.length > 0;
  return [
    ...screened,
    ...(externalWallets.length > 0 ? ['external-wallets'] : []),
    ...(isReviewed ? ['review-notes'] : []),
  ];
}

function yearsLater(at: Timestamp, years: number): Timestamp {
  const date = new Date(fromIso(at));
  date.setUTCFullYear(date.getUTCFullYear() + years);
  return isoTime(date.getTime());
}
