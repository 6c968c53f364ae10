import type { FastifyRequest } from 'fastify';
import { Inject, Injectable } from '@nestjs/common';
import { GetStaffUser } from '@ponte/contracts';
import type { Clock } from '@ponte/kernel';
import { canonicalJson } from '@ponte/kernel';
import { SYSTEM_CLOCK } from '@ponte/nest';
import { STAFF_SETTINGS } from '../gateway-tokens.port';
import { Services } from '../edge/request-context.service';
import type { Call } from '../edge/request-context.service';
import type { RoutePolicy } from '../edge/route-policy';
import { ApiError } from '../errors/api-error';
import type { StaffSession, StaffSessions } from './staff-sessions.port';
import { STAFF_SESSIONS } from './staff-sessions.port';
import type { StaffSettings } from '../staff.config';
import { noCookie, readCookie, SESSION_COOKIE } from './cookies';
import { isSameOrigin, isSecure } from './origin';
import { ProviderRoles } from './provider/provider-roles.service';
import { csrfTokenOf, isCsrfToken, isSessionSecret, sessionIdOf } from './session-keys';

/** The last use of a session is written at most once per this interval. */
const TOUCH_MS = 1_000;
const CHALLENGE = { 'www-authenticate': 'Session' };

/** Admits staff by their session only; an API key is no substitute for one. */
@Injectable()
export class StaffGuard {
  constructor(
    @Inject(STAFF_SESSIONS) private readonly sessions: StaffSessions,
    @Inject(STAFF_SETTINGS) private readonly settings: StaffSettings,
    @Inject(SYSTEM_CLOCK) private readonly systemClock: Clock,
    private readonly services: Services,
    private readonly roles: ProviderRoles,
  ) {}

  /** Throws `cross-origin-request`, `no-session`, `csrf-token-mismatch`, `role-not-allowed`. */
  async enter(request: FastifyRequest, call: Call, policy: RoutePolicy): Promise<void> {
    const { settings } = this;
    // Checked for reads too, because showing a document is recorded as a view.
    if (!isSameOrigin(request, settings)) throw new ApiError('cross-origin-request');
    const secret = readCookie(request, SESSION_COOKIE, isSecure(request, settings));
    const session = isSessionSecret(secret) ? await this.current(sessionIdOf(secret)) : undefined;
    if (!session || secret === undefined) throw noSession(request, settings, secret !== undefined);
    // A read may name its session too: then a page never reads in the session of the next person at the same browser.
    const token = request.headers['x-csrf-token'];
    if ((policy.write || token !== undefined) && !isCsrfToken(token, secret)) throw new ApiError('csrf-token-mismatch');
    const seenAtMs = await this.seen(session, request.headers['x-background'] === 'true', this.systemClock.now());
    if (!policy.roles.some((role) => session.roles.includes(role))) throw new ApiError('role-not-allowed');
    call.actor = session.staffId;
    call.staff = {
      actor: { staffId: session.staffId, roles: session.roles },
      session: { ...session, seenAtMs },
      csrfToken: csrfTokenOf(secret),
    };
  }

  /** Returns a session that is still valid, and removes one that is not. */
  private async current(id: string): Promise<StaffSession | undefined> {
    const session = await this.sessions.find(id);
    if (!session || (await this.isValid(session))) return session;
    await this.sessions.remove(id);
    return undefined;
  }

  private async isValid(session: StaffSession): Promise<boolean> {
    const { seenAtMs, expiresAtMs, way, staffId, roles } = session;
    const { settings } = this;
    const now = this.systemClock.now();
    if (now >= expiresAtMs || now >= seenAtMs + settings.idleMs) return false;
    switch (way) {
      case 'oidc':
        return settings.oidc !== null && (await this.roles.areConfirmed(session));
      case 'local': {
        const user = settings.localSignIn ? await this.services.lookUp(GetStaffUser, { staffId }) : null;
        return user !== null && canonicalJson(user.roles) === canonicalJson(roles);
      }
    }
  }

  private async seen({ id, seenAtMs }: StaffSession, background: boolean, now: number): Promise<number> {
    if (background) return seenAtMs;
    if (now - seenAtMs >= TOUCH_MS) await this.sessions.touch(id, now);
    return Math.max(now, seenAtMs);
  }
}

/** Deletes a cookie that has no valid session. */
const noSession = (request: FastifyRequest, settings: StaffSettings, sent: boolean): ApiError =>
  new ApiError('no-session', {
    headers: { ...CHALLENGE, ...(sent ? { 'set-cookie': noCookie(SESSION_COOKIE, isSecure(request, settings)) } : {}) },
  });
