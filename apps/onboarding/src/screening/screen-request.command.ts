import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { ClearPep, ScreeningHit, SealedKycPerson, SealedPerson } from '@ponte/contracts';
import { FindAddressHits } from '@ponte/contracts';
import type { MessageBus, PersonalData, RequestContext } from '@ponte/event-sourcing';
import { behindEvent, ERASED } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { MESSAGE_BUS, PERSONAL_DATA, PayloadCommand } from '@ponte/nest';
import type { Person } from '../account-request/screening.domain';
import { livenessOf } from '../account-request/findings.domain';
import { peopleOf } from '../account-request/screening.domain';
import type { OpenRequest } from '../account-request/account-request.state';
import { isOpenRequest } from '../account-request/account-request.state';
import { sharedWith } from '../liveness/liveness-session.decider';
import type { Liveness } from '../liveness/liveness.port';
import { LIVENESS } from '../liveness/liveness.port';
import type { Screening, ScreeningMatch, ScreeningSubject } from './screening.port';
import { SCREENING } from './screening.port';
import { AccountRequests } from '../account-request/account-requests';
import { PersonFindings } from './person-findings';
import { LivenessSessions } from '../liveness/liveness-sessions';
import { livenessWord } from '../person/seal-person';

export class ScreenRequestCommand extends PayloadCommand<{ readonly requestId: string }> {}

/** The score of an address hit. Addresses match exactly or not at all. */
const SURE = 100;

/**
 * Requests the results that the round still lacks. Every result has its own command id, so repeating the command
 * changes nothing.
 */
@CommandHandler(ScreenRequestCommand)
export class ScreenRequestHandler implements ICommandHandler<ScreenRequestCommand> {
  constructor(
    private readonly requests: AccountRequests,
    private readonly sessions: LivenessSessions,
    private readonly findings: PersonFindings,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    @Inject(SCREENING) private readonly screening: Screening,
    @Inject(LIVENESS) private readonly liveness: Liveness,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
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
    await Promise.all([
      ...lacking.map((person) => this.screen(state, person, context)),
      this.askLiveness(state, context),
    ]);
  }

  private async screen(state: OpenRequest, person: Person, context: RequestContext): Promise<void> {
    const {
      round,
      terms: { requestId },
    } = state;
    const sealed = personOf(state, person);
    const [{ hits: named }, wallets, earlier, stoppedAccounts] = await Promise.all([
      this.screening.screen(await this.subjectOf(sealed)),
      person === 'holder' ? this.walletHits(state, context) : [],
      this.findings.uncleared(sealed.subjectId, requestId),
      this.findings.stoppedAccounts(sealed.subjectId),
    ]);
    const found = [...named, ...wallets];
    const now: ScreeningHit[] = await Promise.all(
      found.map(async ({ list, entryId, score, matchedOn }) => ({
        list,
        entryId,
        score,
        match: await this.personalData.seal(sealed.subjectId, matchedOn),
      })),
    );
    const hits = withEarlier(now, earlier);
    const commandId = derivedId('screening', requestId, String(round), person);
    const results = { kind: 'record-screening', round, person, hits, stoppedAccounts } as const;
    await this.requests.handle(requestId, (at) => ({ ...results, at }), { ...context, commandId });
  }

  /** Hits on external wallets count as hits of the holder: each needs a verdict and four eyes like any other. */
  private async walletHits(
    { terms: { externalWallets } }: OpenRequest,
    context: RequestContext,
  ): Promise<readonly ScreeningMatch[]> {
    if (externalWallets.length === 0) return [];
    const addresses = externalWallets.map(({ address }) => address);
    const { found } = await this.bus.request(FindAddressHits, { addresses }, context);
    return found.flatMap(({ address, hits }) =>
      hits.map(({ list, entryId }) => ({ list, entryId, score: SURE, matchedOn: `external wallet ${address}` })),
    );
  }

  /** A reliance request has no name: only the number is checked, against the lists that contain numbers. */
  private async subjectOf(sealed: SealedPerson | SealedKycPerson): Promise<ScreeningSubject> {
    const { subjectId: subjectRef, country } = sealed;
    if (!('firstName' in sealed)) return { subjectRef, names: [], dateOfBirth: null, country };
    const [first, last, birth, pep] = await Promise.all(
      [sealed.firstName, sealed.lastName, sealed.dateOfBirth, sealed.pep].map((one) => this.personalData.open(one)),
    );
    const declared = pep === ERASED ? null : (JSON.parse(pep as string) as ClearPep);
    const own = `${first} ${last}`;
    // A politically exposed person may be listed under another spelling of the name.
    const names =
      declared?.relationship === 'self' && declared.fullName !== null && declared.fullName !== own
        ? [own, declared.fullName]
        : [own];
    return { subjectRef, names, dateOfBirth: birth ?? null, country };
  }

  /**
   * Records that the request names the session before asking the provider. If two people name one session, at least the
   * later request is detected as sharing it, and a callback finds both.
   */
  private async askLiveness(state: OpenRequest, context: RequestContext): Promise<void> {
    const {
      parts: { liveness: session },
      terms: {
        requestId,
        details: {
          holder: { subjectId },
        },
      },
    } = state;
    if (session === null || livenessOf(state) !== 'pending') return;
    const { provider, fingerprint: sessionFingerprint } = session;
    const others = sharedWith(
      await this.sessions.name({ sessionFingerprint, requestId, subjectId }, context),
      subjectId,
    );
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

/** Adds the earlier hits on entries that were not found now, each entry once. */
const withEarlier = (now: readonly ScreeningHit[], earlier: readonly ScreeningHit[]): ScreeningHit[] =>
  earlier.reduce<ScreeningHit[]>(
    (hits, hit) =>
      hits.some(({ list, entryId }) => list === hit.list && entryId === hit.entryId) ? hits : [...hits, hit],
    [...now],
  );

function personOf({ terms: { details } }: OpenRequest, person: Person): SealedPerson | SealedKycPerson {
  if (person === 'holder') return details.holder;
  if (details.mode === 'reliance' || !details.representative) throw new Error('there is no representative to screen');
  return details.representative;
}
