import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { PersonalData } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { canonicalJson, Unavailable } from '@ponte/kernel';
import { LOGGER, PERSONAL_DATA, SYSTEM_CLOCK } from '@ponte/nest';
import { STAFF_SETTINGS } from '../../gateway-tokens.port';
import { memberOf } from './claims';
import { staffSubject } from '../sign-in.service';
import type { SignInProvider } from './sign-in-provider.port';
import { SIGN_IN_PROVIDER, SignInRefused } from './sign-in-provider.port';
import type { StaffSession, StaffSessions } from '../staff-sessions.port';
import { STAFF_SESSIONS } from '../staff-sessions.port';
import type { StaffSettings } from '../../staff.config';

/** How often the provider is asked while it does not respond. */
const RETRY_MS = 60_000;
/** How long sessions stay valid while the provider does not respond. */
const OUTAGE_MS = 3_600_000;

/**
 * Asks the OpenID provider from time to time whether a signed-in person still has the roles. Needs a refresh token:
 * without one, the roles stay until the session ends.
 */
@Injectable()
export class ProviderRoles {
  constructor(
    @Inject(SIGN_IN_PROVIDER) private readonly provider: SignInProvider | null,
    @Inject(STAFF_SESSIONS) private readonly sessions: StaffSessions,
    @Inject(STAFF_SETTINGS) private readonly settings: StaffSettings,
    @Inject(PERSONAL_DATA) private readonly personalData: Pick<PersonalData, 'seal' | 'open'>,
    @Inject(SYSTEM_CLOCK) private readonly systemClock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * False if the session has to end: the provider no longer accepts its refresh token, or gives other roles, which ends
   * the person's other sessions too. Only one request asks, because a provider may accept a refresh token only once.
   * Others continue meanwhile.
   */
  async areConfirmed(session: StaffSession): Promise<boolean> {
    const { provider } = this;
    const { oidc } = this.settings;
    const { id, refreshToken, confirmedAtMs, askedAtMs } = session;
    const now = this.systemClock.now();
    if (!provider || !oidc || refreshToken === null || now < confirmedAtMs + oidc.recheckMs) return true;
    const tolerated = now < confirmedAtMs + oidc.recheckMs + OUTAGE_MS;
    if (now < askedAtMs + RETRY_MS || !(await this.sessions.claimConfirmation(id, askedAtMs, now))) return tolerated;
    try {
      const used = await this.personalData.open(refreshToken);
      const identity = await provider.renew(used, (next) => this.keep(session, next));
      const { staffId, roles } = memberOf(identity, oidc);
      if (staffId !== session.staffId) throw new SignInRefused('another-person');
      if (canonicalJson(roles) !== canonicalJson(session.roles)) {
        await this.sessions.removeOf(staffId);
        throw new SignInRefused('other-roles');
      }
      await this.sessions.confirm(id, now);
      return true;
    } catch (error) {
      const { staffId } = session;
      if (error instanceof SignInRefused) {
        this.logger.warn({ staffId, reason: error.reason }, 'a staff session ends: its roles were not confirmed');
        return false;
      }
      if (!(error instanceof Unavailable)) throw error;
      this.logger.error({ staffId, tolerated }, 'the sign-in provider cannot be asked for the roles of a staff member');
      return tolerated;
    }
  }

  private async keep({ id, staffId }: StaffSession, refreshToken: string): Promise<void> {
    await this.sessions.keepRefreshToken(id, await this.personalData.seal(staffSubject(staffId), refreshToken));
  }
}
