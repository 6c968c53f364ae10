import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@ponte/event-sourcing';
import { Aggregates } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { derivedId } from '@ponte/kernel';
import { CLOCK, commandContext } from '@ponte/nest';
import type { LivenessSession } from './liveness-session.decider';
import { livenessSession, sharedWith } from './liveness-session.decider';
import type { OpenRequest } from '../account-request/account-request.state';

/**
 * The streams of the liveness sessions: unlike a list, they miss no one who names one at the same moment, nor a session
 * that was replaced.
 */
@Injectable()
export class LivenessSessions {
  constructor(
    private readonly aggregates: Aggregates,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async load(sessionFingerprint: string): Promise<LivenessSession> {
    return (await this.aggregates.load(livenessSession, sessionFingerprint)).state;
  }

  /** Ids of other people's requests that name the session of this one by now, the first 20. */
  async sharersOf({
    parts: { liveness },
    terms: {
      details: { holder },
    },
  }: Pick<OpenRequest, 'parts' | 'terms'>): Promise<readonly string[]> {
    return liveness === null ? [] : sharedWith(await this.load(liveness.fingerprint), holder.subjectId);
  }

  /** Notes durably that a request names the session; answers it as it then stands. */
  async name(
    named: { readonly sessionFingerprint: string; readonly requestId: string; readonly subjectId: string },
    context: RequestContext,
  ): Promise<LivenessSession> {
    const commandId = derivedId('liveness-session', named.requestId, named.sessionFingerprint);
    const { state } = await this.aggregates.handle(
      livenessSession,
      named.sessionFingerprint,
      (at) => ({ kind: 'name', ...named, at }),
      commandContext({ ...context, commandId }, this.clock),
    );
    return state;
  }
}
