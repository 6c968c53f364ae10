import type { FastifyReply, FastifyRequest } from 'fastify';
import type { StaffRole } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { canonicalJson } from '@ponte/kernel';
import type { Clock } from '@ponte/kernel';
import type { StaffMembers } from './staff-members.port';
import type { SignInWay, StaffSession, StaffSessions } from './staff-sessions.port';
import type { StaffSettings } from '../staff.config';
import { cookie, readCookie, SESSION_COOKIE } from './cookies';
import { isSecure } from './origin';
import { csrfTokenOf, isSessionSecret, sessionIdOf } from './session-keys';
import type { SignedIn } from './signed-in';

/** Someone who proved who they are. */
export interface ProvenMember {
  readonly staffId: string;
  readonly name: string;
  readonly roles: readonly StaffRole[];
  readonly way: SignInWay;
}

export interface SignInParts {
  readonly sessions: StaffSessions;
  readonly members: StaffMembers;
  readonly personalData: Pick<PersonalData, 'seal'>;
  readonly settings: StaffSettings;
  readonly systemClock: Clock;
  /** 32 bytes of a secure source, base64url. */
  readonly newSecret: () => string;
}

/** Under which what a member of staff is called is sealed. */
const subjectOf = (staffId: string): string => `staff-${staffId}`;

/** Begins sessions. Every one has an id that no one knew before; one that the browser brought ends. */
export class StaffSignIn {
  constructor(private readonly parts: SignInParts) {}

  async begin(
    { staffId, name, roles, way }: ProvenMember,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<SignedIn> {
    const { sessions, members, personalData, settings, systemClock, newSecret } = this.parts;
    const secure = isSecure(request, settings);
    await this.endOld(readCookie(request, SESSION_COOKIE, secure));
    await this.endOthersUnlessSameRoles(staffId, roles);
    const [secret, now] = [newSecret(), systemClock.now()];
    const session: StaffSession = {
      id: sessionIdOf(secret),
      staffId,
      name: await personalData.seal(subjectOf(staffId), name),
      roles,
      way,
      signedInAtMs: now,
      seenAtMs: now,
      expiresAtMs: now + settings.absoluteMs,
    };
    await sessions.add(session);
    await members.put({ staffId, name: session.name, roles, way, signedInAtMs: now });
    reply.header('set-cookie', cookie(SESSION_COOKIE, secret, secure));
    return { actor: { staffId, roles }, session, csrfToken: csrfTokenOf(secret) };
  }

  private async endOld(secret: string | undefined): Promise<void> {
    if (isSessionSecret(secret)) await this.parts.sessions.remove(sessionIdOf(secret));
  }

  /** Sessions that began under other roles end. */
  private async endOthersUnlessSameRoles(staffId: string, roles: readonly StaffRole[]): Promise<void> {
    const [known] = await this.parts.members.named([staffId]);
    if (known && canonicalJson(known.roles) !== canonicalJson(roles)) await this.parts.sessions.removeOf(staffId);
  }
}
