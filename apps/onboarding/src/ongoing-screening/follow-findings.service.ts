import { Inject, Injectable } from '@nestjs/common';
import type { ScreeningFinding, StaffActor } from '@ponte/contracts';
import type { PersonalData, RequestContext, Sealed } from '@ponte/event-sourcing';
import { logged, SubjectErased, systemContext } from '@ponte/event-sourcing';
import type { Ids } from '@ponte/kernel';
import { derivedId, Refusal } from '@ponte/kernel';
import { IDS, LOGGER, PERSONAL_DATA } from '@ponte/nest';
import type { Logger } from 'pino';
import { Accounts } from '../account/accounts.service';
import type { OpenedAccount } from '../account/account.state';
import { freezeEvidenceOf, freezeReasonOf } from './finding.domain';
import { Findings } from './findings.service';
import { FindingReadModel } from './findings.read-model';

/** The largest number of true matches per pass. */
const BATCH = 200;

/**
 * After a true match: requests the freeze of the account, and settles the finding once the account is frozen for it or
 * closed. Another approver confirms the freeze as usual.
 */
@Injectable()
export class FollowFindings {
  constructor(
    private readonly findings: Findings,
    private readonly list: FindingReadModel,
    private readonly accounts: Accounts,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Makes one pass. Runs on one process at a time. */
  async run(signal: AbortSignal): Promise<void> {
    for (const { id } of await this.list.matched(BATCH)) {
      if (signal.aborted) return;
      const finding = await this.findings.find(id);
      if (finding) await this.tried(finding, systemContext(this.ids, 'onboarding-follow-findings'));
    }
  }

  /** The finding afterwards. A failure is logged: the next pass tries again. */
  async tried(finding: ScreeningFinding, context: RequestContext): Promise<ScreeningFinding> {
    try {
      return (await this.follow(finding, context)) ?? finding;
    } catch (error) {
      const reason = error instanceof Refusal ? error.code : error instanceof Error ? error.name : typeof error;
      this.logger.warn(
        { ...logged(context), findingId: finding.id, accountId: finding.accountId, reason },
        'the account of a true match could not be frozen now; it will be retried',
      );
      return finding;
    }
  }

  private async follow(finding: ScreeningFinding, context: RequestContext): Promise<ScreeningFinding | null> {
    const account = await this.accounts.find(finding.accountId);
    if (finding.status !== 'matched' || !account) return finding;
    const { id: findingId, version } = finding;
    const own = (step: string) => ({ ...context, commandId: derivedId(step, findingId, String(version)) });
    const reason = freezeReasonOf(finding);
    if (isDone(account, reason))
      return this.findings.handle(finding, (at) => ({ kind: 'settle-finding', findingId, at }), own('settle-finding'));
    if (finding.freezeRequestedAt !== null) return finding;
    const evidence = await this.evidenceOf(finding, account);
    const freeze = { kind: 'request-freeze', staff: matchedBy(finding), reason, evidence } as const;
    // A repeated command succeeds even if its own request is pending.
    await this.accounts.handle(finding.accountId, (at) => ({ ...freeze, at }), own('freeze-for-finding'));
    return this.findings.handle(
      finding,
      (at) => ({ kind: 'note-freeze-requested', findingId, at }),
      own('note-freeze-requested'),
    );
  }

  /** Null if the holder was erased. */
  private async evidenceOf(finding: ScreeningFinding, { terms: { holderId } }: OpenedAccount): Promise<Sealed | null> {
    try {
      return await this.personalData.seal(holderId, freezeEvidenceOf(finding));
    } catch (error) {
      if (error instanceof SubjectErased) return null;
      throw error;
    }
  }
}

const isDone = ({ status, standing: { freezes } }: OpenedAccount, wanted: string): boolean =>
  status === 'closed' || (status === 'frozen' && freezes.some(({ reason }) => reason === wanted));

/** The staff member who found the true match. */
function matchedBy({ id, verdicts }: ScreeningFinding): StaffActor {
  const match = verdicts.findLast(({ verdict }) => verdict === 'true-match');
  if (!match) throw new Error(`finding ${id} is matched without a verdict`);
  return { staffId: match.staffId, roles: match.roles };
}
