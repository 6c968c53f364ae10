import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { defineRepository } from '@ponte/nest';
import type { LivenessSession, NameSession } from './liveness-session.decider';
import { livenessSession, sharedWith } from './liveness-session.decider';
import type { OpenRequest } from '../account-request/account-request.state';

/**
 * The streams of liveness sessions. Unlike a read model, they miss neither requests that name a session at the same
 * moment nor replaced sessions.
 */
@Injectable()
export class LivenessSessions extends defineRepository(livenessSession) {
  /** Ids of the first 20 other people's requests that name the same session as this request. */
  async sharersOf({ parts: { liveness }, terms }: Pick<OpenRequest, 'parts' | 'terms'>): Promise<readonly string[]> {
    if (liveness === null) return [];
    return sharedWith(await this.load(liveness.fingerprint), terms.details.holder.subjectId);
  }

  /** Records that the request names its session, and returns the session's state after that; null without a session. */
  async nameFor(
    { parts: { liveness }, terms: { requestId, details } }: Pick<OpenRequest, 'parts' | 'terms'>,
    context: RequestContext,
  ): Promise<LivenessSession | null> {
    if (liveness === null) return null;
    const { subjectId } = details.holder;
    return this.name({ sessionFingerprint: liveness.fingerprint, requestId, subjectId }, context);
  }

  /** Records that a request names the session, and returns the session's state after that. */
  private name(named: Omit<NameSession, 'kind' | 'at'>, context: RequestContext): Promise<LivenessSession> {
    const { sessionFingerprint, requestId } = named;
    const commandId = derivedId('liveness-session', requestId, sessionFingerprint);
    return this.execute(sessionFingerprint, (at) => ({ kind: 'name', ...named, at }), { ...context, commandId });
  }
}
