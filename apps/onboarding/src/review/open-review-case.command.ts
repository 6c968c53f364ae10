import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { AccountRequestEvent, JudgedHit, OpenReviewCase, ReviewCase, ViewEntry } from '@ponte/contracts';
import { ACCOUNT_REQUEST_EVENTS } from '@ponte/contracts';
import type { EventStore } from '@ponte/event-sourcing';
import { streamName, upcaster } from '@ponte/event-sourcing';
import { pick } from '@ponte/kernel';
import { EVENT_STORE, RequestCommand } from '@ponte/nest';
import { accountRequest } from '../account-request/account-request.decider';
import { filesOf } from '../account-request/files.domain';
import type { Hit } from '../account-request/findings.domain';
import { verdictOf } from '../account-request/findings.domain';
import { checklist, historyEntry } from './history.domain';
import { requestRecord } from '../account-request/account-request.record';
import type { OpenRequest } from '../account-request/account-request.state';
import { isOpenRequest } from '../account-request/account-request.state';
import { fileRecord } from '../evidence-file/evidence-file.decider';
import type { Person } from '../person/person.decider';
import { RequestTraits } from '../duplicates/request-traits.service';
import { RelatedFindingsReader } from './related-findings-reader.service';
import { QueueItems } from './queue-items.service';
import { AccountRequests } from '../account-request/account-requests.service';
import { EvidenceFiles } from '../evidence-file/evidence-files.repository';
import { LivenessSessions } from '../liveness/liveness-sessions.service';
import { Persons } from '../person/persons.service';
import { ShownPeople } from './shown-people.service';

export class OpenReviewCaseCommand extends RequestCommand<typeof OpenReviewCase> {}

/**
 * Opens a case. The view and its purpose are recorded before anything is returned, also for the representative, whose
 * data the case shows too.
 */
@CommandHandler(OpenReviewCaseCommand)
export class OpenReviewCaseHandler implements ICommandHandler<OpenReviewCaseCommand> {
  private readonly current = upcaster(ACCOUNT_REQUEST_EVENTS);

  constructor(
    private readonly requests: AccountRequests,
    private readonly persons: Persons,
    private readonly files: EvidenceFiles,
    private readonly shown: ShownPeople,
    private readonly sessions: LivenessSessions,
    private readonly traits: RequestTraits,
    private readonly related: RelatedFindingsReader,
    private readonly items: QueueItems,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  async execute({
    payload: { requestId, staff, purpose, note },
    context,
  }: OpenReviewCaseCommand): Promise<ReviewCase | null> {
    const state = await this.requests.load(requestId);
    if (!isOpenRequest(state)) return null;
    const { details } = state.terms;
    const others = details.mode === 'kyc' && details.representative ? [details.representative.subjectId] : [];
    const view = { staff, purpose, what: 'case', requestId, fileId: null, note } as const;
    // The holder is checked last, so that a refusal for one person is not recorded as a view of another.
    for (const subjectId of others) this.persons.mayView(staff, purpose, await this.persons.load(subjectId));
    const holder = await this.persons.view(details.holder.subjectId, view, context);
    await Promise.all(others.map((subjectId) => this.persons.view(subjectId, { ...view, note: null }, context)));
    return this.caseOf(await this.related.recordIn(state, context), holder);
  }

  private async caseOf(state: OpenRequest, holder: Person): Promise<ReviewCase> {
    const {
      terms: { requestId, externalWallets },
      screening,
      parts,
      liveness,
      approvals,
      rejection,
    } = state;
    const session = parts.liveness && liveness[parts.liveness.fingerprint];
    const livenessSharedWith = await this.sessions.sharersOf(state);
    const duplicates = await this.traits.duplicatesOf(state);
    const recorded = (await this.store.read(streamName(accountRequest.category, requestId))).map((event) =>
      this.current<AccountRequestEvent>(event),
    );
    return {
      item: await this.items.of(state),
      request: requestRecord(state),
      details: withParts(state),
      externalWallets,
      files: await this.filesOf(state),
      screening: screening.map(({ person, round, hits, recordedAt }) => ({
        person,
        round,
        hits: hits.map((hit) => ({ ...hit, verdict: shownVerdict(state, { ...hit, person }) })),
        recordedAt,
      })),
      liveness: session ? { provider: session.provider, outcome: session.outcome, decidedAt: session.decidedAt } : null,
      livenessSharedWith,
      duplicates,
      checklist: checklist(state, livenessSharedWith, duplicates),
      approvals,
      internalReason: rejection?.reason ?? null,
      notes: parts.notes,
      staffNotes: recorded.flatMap(staffNote),
      history: recorded.map(historyEntry),
      views: holder.views
        .filter((view) => view.requestId === requestId)
        .map((view) => ({ ...viewEntry(view), note: view.note })),
      restricted: holder.status === 'restricted',
    };
  }

  private async filesOf(state: OpenRequest): Promise<ReviewCase['files']> {
    const files = await Promise.all(
      filesOf(state).map(async ({ label, fileId }) => ({ label, file: await this.files.load(fileId) })),
    );
    const shown = await Promise.all(
      files.map(async ({ label, file }) =>
        file.status === 'kept' && (await this.shown.keepsIn(state, file.terms.fileId))
          ? [{ ...fileRecord(file), label }]
          : [],
      ),
    );
    return shown.flat();
  }
}

function shownVerdict(state: OpenRequest, hit: Hit): JudgedHit['verdict'] {
  const found = verdictOf(state, hit);
  return found ? pick(found, 'verdict', 'reason', 'note', 'staffId', 'judgedAt') : null;
}

/** The note that a staff member wrote with an escalation or a decision. */
function staffNote({ type, data }: AccountRequestEvent): NonNullable<ReviewCase['staffNotes']> {
  if (type !== 'ReviewEscalated' && type !== 'ReviewDecided') return [];
  const at = type === 'ReviewEscalated' ? data.escalatedAt : data.decidedAt;
  return data.note === null || data.staffId === null ? [] : [{ type, staffId: data.staffId, note: data.note, at }];
}

export const viewEntry = (view: Person['views'][number]): ViewEntry =>
  pick(view, 'staffId', 'roles', 'purpose', 'what', 'viewedAt');

/** The request with the parts that later information replaced. */
function withParts({ terms: { details }, parts }: OpenRequest): ReviewCase['details'] {
  if (details.mode === 'reliance') return details;
  const { holder, representative } = details;
  return {
    ...details,
    holder: {
      ...holder,
      address: parts.holder.address ?? holder.address,
      document: parts.holder.document ?? holder.document,
    },
    liveness: parts.liveness ?? details.liveness,
    representative: representative && {
      ...representative,
      address: parts.representative.address ?? representative.address,
      document: parts.representative.document ?? representative.document,
      powerOfAttorneyFileId: parts.representative.powerOfAttorneyFileId ?? representative.powerOfAttorneyFileId,
    },
  };
}
