import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { PersonalData, RequestContext } from '@ponte/event-sourcing';
import { behindEvent } from '@ponte/event-sourcing';
import { derivedId, Unavailable } from '@ponte/kernel';
import { PERSONAL_DATA, PayloadCommand } from '@ponte/nest';
import type { Person } from '../account-request/screening.domain';
import { livenessOf } from '../account-request/findings.domain';
import { peopleOf } from '../account-request/screening.domain';
import type { OpenRequest } from '../account-request/account-request.state';
import { isOpenRequest } from '../account-request/account-request.state';
import { sharedWith } from '../liveness/liveness-session.decider';
import type { Liveness } from '../liveness/liveness.port';
import { LIVENESS } from '../liveness/liveness.port';
import { AccountRequests } from '../account-request/account-requests.service';
import { PersonFindings } from './person-findings.service';
import { personOf, PersonMatches } from './person-matches.service';
import { withOthers } from '../ongoing-screening/new-findings.domain';
import { newHits, newMatches } from '../ongoing-screening/repeated-screening.domain';
import { LivenessSessions } from '../liveness/liveness-sessions.service';
import { livenessWord } from '../person/seal-person';

export class ScreenRequestCommand extends PayloadCommand<{ readonly requestId: string }> {}

/**
 * Requests the results that the round still lacks. A vendor that is unavailable keeps back only its own result, and is
 * reported as `Unavailable` at the end. Every result has its own command id, so repeating the command changes nothing.
 */
@CommandHandler(ScreenRequestCommand)
export class ScreenRequestHandler implements ICommandHandler<ScreenRequestCommand> {
  constructor(
    private readonly requests: AccountRequests,
    private readonly sessions: LivenessSessions,
    private readonly findings: PersonFindings,
    private readonly matches: PersonMatches,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    @Inject(LIVENESS) private readonly liveness: Liveness,
  ) {}

  async execute({ payload: { requestId }, context }: ScreenRequestCommand): Promise<void> {
    const state = await this.requests.load(requestId);
    // The command is sent after screening has started, so a missing or merely received request means an old state.
    if (!isOpenRequest(state) || state.stage === 'received')
      return behindEvent(`account request ${requestId}`, state.status);
    // In any later stage the round has its results.
    if (state.stage !== 'screening') return;
    const { round } = state;
    const lacking = peopleOf(state).filter(
      (person) => !state.screening.some((one) => one.round === round && one.person === person),
    );
    const results = await Promise.allSettled([
      ...lacking.map((person) => this.screen(state, person, context)),
      this.askLiveness(state, context),
    ]);
    const failures = results.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    // A failure other than an outage must not be hidden by one.
    if (failures.length > 0) throw failures.find((error) => !(error instanceof Unavailable)) ?? failures[0];
  }

  private async screen(state: OpenRequest, person: Person, context: RequestContext): Promise<void> {
    const {
      round,
      terms: { requestId },
    } = state;
    const sealed = personOf(state, person);
    const [matches, others, stoppedAccounts] = await Promise.all([
      this.matches.ofRequest(state, person, context),
      this.findings.ofOthers(sealed.subjectId, requestId),
      this.findings.stoppedAccounts(sealed.subjectId),
    ]);
    // Of the entries that the case does not show yet, only so many are added as staff can read.
    const isNew = new Set(newHits(state, person, matches));
    const found = [...matches.filter((one) => !isNew.has(one)), ...newMatches(state, person, matches, others.cleared)];
    const hits = withOthers(await this.matches.sealed(sealed.subjectId, found), others.uncleared);
    const commandId = derivedId('screening', requestId, String(round), person);
    const results = { kind: 'record-screening', round, person, hits, stoppedAccounts } as const;
    await this.requests.handle(requestId, (at) => ({ ...results, at }), { ...context, commandId });
  }

  /**
   * Records that the request names the session before asking the provider. If two people name one session, at least the
   * later request is detected as sharing it, and a callback finds both.
   */
  private async askLiveness(state: OpenRequest, context: RequestContext): Promise<void> {
    const {
      parts: { liveness: session },
      terms: { requestId, details },
    } = state;
    if (session === null || livenessOf(state) !== 'pending') return;
    const { provider, fingerprint: sessionFingerprint } = session;
    const named = await this.sessions.nameFor(state, context);
    const others = named === null ? [] : sharedWith(named, details.holder.subjectId);
    const {
      outcome,
      providerEventId: word,
      decidedAt,
    } = await this.liveness.resultOf({ provider, id: await this.personalData.open(session.id) });
    const providerEventId = livenessWord(this.personalData, provider, word);
    const commandId = derivedId('liveness', requestId, sessionFingerprint, providerEventId, outcome);
    await this.requests.handle(
      requestId,
      (at) => ({
        kind: 'record-liveness',
        sessionFingerprint,
        provider,
        providerEventId,
        outcome,
        decidedAt,
        sharedWith: others,
        at,
      }),
      { ...context, commandId },
    );
  }
}
