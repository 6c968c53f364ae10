import type { FastifyRequest } from 'fastify';
import type { StaffUserRecord } from '@ponte/contracts';
import type { Clock } from '@ponte/kernel';
import { canonicalJson } from '@ponte/kernel';
import type { Call, RoutePolicy } from '../edge/request-context';
import { ApiError } from '../errors/api-error';
import type { StaffSession, StaffSessions } from './staff-sessions.port';
import type { StaffSettings } from '../staff.config';
import { noCookie, readCookie, SESSION_COOKIE } from './cookies';
import { isSameOrigin, isSecure } from './origin';
import { csrfTokenOf, isCsrfToken, isSessionSecret, sessionIdOf } from './session-keys';

export interface GuardParts {
  readonly sessions: StaffSessions;
  readonly settings: StaffSettings;
  readonly systemClock: Clock;
  /** The current record of a local user, or null. */
  readonly localUser: (staffId: string) => Promise<StaffUserRecord | null>;
}

/** More often than this a session's last use is not written down. */
const TOUCH_MS = 1_000;
const CHALLENGE = { 'www-authenticate': 'Session' };

/** Lets staff in by their session, and by nothing else: no API key stands for one. */
export class StaffGuard {
  constructor(private readonly parts: GuardParts) {}

  /** Throws `cross-origin-request`, `no-session`, `csrf-token-mismatch`, `role-not-allowed`. */
  async enter(request: FastifyRequest, call: Call, policy: RoutePolicy): Promise<void> {
    const { settings, systemClock } = this.parts;
    // Reads too: a document that is shown is a look that is written down.
    if (!isSameOrigin(request, settings)) throw new ApiError('cross-origin-request');
    const secret = readCookie(request, SESSION_COOKIE, isSecure(request, settings));
    const session = isSessionSecret(secret) ? await this.current(sessionIdOf(secret)) : undefined;
    if (!session || secret === undefined) throw noSession(request, settings, secret !== undefined);
    if (policy.write && !isCsrfToken(request.headers['x-csrf-token'], secret))
      throw new ApiError('csrf-token-mismatch');
    const seenAtMs = await this.seen(session, request.headers['x-background'] === 'true', systemClock.now());
    if (!policy.roles.some((role) => session.roles.includes(role))) throw new ApiError('role-not-allowed');
    call.actor = session.staffId;
    call.staff = {
      actor: { staffId: session.staffId, roles: session.roles },
      session: { ...session, seenAtMs },
      csrfToken: csrfTokenOf(secret),
    };
  }

  /** The session when it is still good; one that is not is forgotten. */
  private async current(id: string): Promise<StaffSession | undefined> {
    const session = await this.parts.sessions.find(id);
    if (!session || (await this.isGood(session))) return session;
    await this.parts.sessions.remove(id);
    return undefined;
  }

  private async isGood({ seenAtMs, expiresAtMs, way, staffId, roles }: StaffSession): Promise<boolean> {
    const { settings, systemClock, localUser } = this.parts;
    const now = systemClock.now();
    if (now >= expiresAtMs || now >= seenAtMs + settings.idleMs) return false;
    switch (way) {
      case 'oidc':
        return settings.oidc !== null;
      case 'local': {
        const user = settings.localSignIn ? await localUser(staffId) : null;
        return user !== null && canonicalJson(user.roles) === canonicalJson(roles);
      }
    }
  }

  private async seen({ id, seenAtMs }: StaffSession, background: boolean, now: number): Promise<number> {
    if (background) return seenAtMs;
    if (now - seenAtMs >= TOUCH_MS) await this.parts.sessions.touch(id, now);
    return Math.max(now, seenAtMs);
  }
}

/** A cookie that opens nothing is taken away. */
const noSession = (request: FastifyRequest, settings: StaffSettings, sent: boolean): ApiError =>
  new ApiError('no-session', {
    headers: { ...CHALLENGE, ...(sent ? { 'set-cookie': noCookie(SESSION_COOKIE, isSecure(request, settings)) } : {}) },
  });
