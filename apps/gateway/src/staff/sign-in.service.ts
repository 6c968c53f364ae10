import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { StaffRole } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { canonicalJson } from '@ponte/kernel';
import type { Clock } from '@ponte/kernel';
import { LOGGER, PERSONAL_DATA, SYSTEM_CLOCK } from '@ponte/nest';
import { STAFF_SETTINGS } from '../gateway-tokens.port';
import type { StaffMembers } from './staff-members.port';
import { STAFF_MEMBERS } from './staff-members.port';
import { STAFF_SESSIONS } from './staff-sessions.port';
import type { SignInWay, StaffSession, StaffSessions } from './staff-sessions.port';
import type { StaffSettings } from '../staff.config';
import { cookie, readCookie, SESSION_COOKIE } from './cookies';
import { isSecure } from './origin';
import { csrfTokenOf, isSessionSecret, sessionIdOf } from './session-keys';
import type { SignedIn } from './signed-in';

/** A staff member whose identity was proved at sign-in. */
export interface ProvenMember {
  readonly staffId: string;
  readonly name: string;
  readonly roles: readonly StaffRole[];
  readonly way: SignInWay;
  /** With it the provider is asked again later whether the person still has the roles; null if it cannot be asked. */
  readonly refreshToken: string | null;
}

const SECRET_BYTES = 32;

/** The subject under which a staff member's name and refresh token are sealed. */
export const staffSubject = (staffId: string): string => `staff-${staffId}`;

/** Creates sessions. Each gets a new random id, and the session that the browser had before ends. */
@Injectable()
export class StaffSignIn {
  constructor(
    @Inject(STAFF_SESSIONS) private readonly sessions: StaffSessions,
    @Inject(STAFF_MEMBERS) private readonly members: StaffMembers,
    @Inject(PERSONAL_DATA) private readonly personalData: Pick<PersonalData, 'seal'>,
    @Inject(STAFF_SETTINGS) private readonly settings: StaffSettings,
    @Inject(SYSTEM_CLOCK) private readonly systemClock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async begin(
    { staffId, name, roles, way, refreshToken }: ProvenMember,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<SignedIn> {
    const secure = isSecure(request, this.settings);
    await this.endOld(readCookie(request, SESSION_COOKIE, secure));
    await this.endSessionsIfRolesChanged(staffId, roles);
    const [secret, now] = [randomBytes(SECRET_BYTES).toString('base64url'), this.systemClock.now()];
    const session: StaffSession = {
      id: sessionIdOf(secret),
      staffId,
      name: await this.personalData.seal(staffSubject(staffId), name),
      roles,
      way,
      signedInAtMs: now,
      seenAtMs: now,
      expiresAtMs: now + this.settings.absoluteMs,
      refreshToken: refreshToken === null ? null : await this.personalData.seal(staffSubject(staffId), refreshToken),
      confirmedAtMs: now,
      askedAtMs: now,
    };
    await this.sessions.add(session);
    await this.members.put({ staffId, name: session.name, roles, way, signedInAtMs: now });
    this.logger.info({ ...request.call.logged, staffId, roles, way }, 'a staff member signed in');
    reply.header('set-cookie', cookie(SESSION_COOKIE, secret, secure));
    return { actor: { staffId, roles }, session, csrfToken: csrfTokenOf(secret) };
  }

  private async endOld(secret: string | undefined): Promise<void> {
    if (isSessionSecret(secret)) await this.sessions.remove(sessionIdOf(secret));
  }

  /** Ends all sessions of the staff member when the roles have changed since the last sign-in. */
  private async endSessionsIfRolesChanged(staffId: string, roles: readonly StaffRole[]): Promise<void> {
    const [known] = await this.members.named([staffId]);
    if (known && canonicalJson(known.roles) !== canonicalJson(roles)) await this.sessions.removeOf(staffId);
  }
}
