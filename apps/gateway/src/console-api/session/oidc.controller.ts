import { Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { PersonalData } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { Unavailable } from '@ponte/kernel';
import { LOGGER, PERSONAL_DATA, SYSTEM_CLOCK } from '@ponte/nest';
import { ApiError } from '../../errors/api-error';
import { Operation, Resource } from '../../openapi/operation';
import type { SignInProvider } from '../../staff/provider/sign-in-provider.port';
import { SIGN_IN_PROVIDER, SignInRefused } from '../../staff/provider/sign-in-provider.port';
import type { StaffSessions } from '../../staff/staff-sessions.port';
import { STAFF_SESSIONS } from '../../staff/staff-sessions.port';
import { STAFF_SETTINGS } from '../../gateway-tokens.port';
import { memberOf } from '../../staff/provider/claims';
import { cookie, noCookie, PENDING_COOKIE, readCookie } from '../../staff/cookies';
import { isSecure, ownOrigin } from '../../staff/origin';
import { sendOnward, sendRefusal, takesPages } from '../../staff/console/pages';
import type { Pending } from '../../staff/pending';
import { PENDING_SECONDS, readPending, returnPath, writePending } from '../../staff/pending';
import { StaffSignIn } from '../../staff/sign-in.service';
import type { StaffSettings } from '../../staff.config';
import { OIDC_PATH } from './session.controller';
import { ReturnQuery } from './session.dto';

const FOUND = 302;

/** Sign-in with the staff's own OpenID provider: authorization code with PKCE. */
@Resource(OIDC_PATH.slice(1), 'session')
export class OidcController {
  constructor(
    private readonly signIn: StaffSignIn,
    @Inject(SIGN_IN_PROVIDER) private readonly provider: SignInProvider | null,
    @Inject(STAFF_SESSIONS) private readonly sessions: StaffSessions,
    @Inject(STAFF_SETTINGS) private readonly settings: StaffSettings,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    @Inject(SYSTEM_CLOCK) private readonly systemClock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Operation({
    id: 'staff-begin-oidc',
    summary: 'Redirect to the sign-in provider',
    reach: 'public',
    status: FOUND,
    query: ReturnQuery,
    bytes: ['text/html'],
    errors: ['route-not-found'],
  })
  @Get()
  async begin(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answered(request, reply, async () => {
      const { location, pending } = await this.required().provider.begin(this.redirectUri(request));
      const kept: Pending = {
        ...pending,
        returnTo: returnPath((request.query as ReturnQuery)['return-to']),
        until: this.systemClock.now() + PENDING_SECONDS * 1000,
      };
      const value = await writePending(this.personalData, kept);
      await reply
        .header('set-cookie', cookie(PENDING_COOKIE, value, isSecure(request, this.settings), PENDING_SECONDS))
        .redirect(location, FOUND);
    });
  }

  @Operation({
    id: 'staff-finish-oidc',
    summary: 'Receive the callback of the sign-in provider',
    reach: 'public',
    bytes: ['text/html'],
    errors: ['route-not-found', 'sign-in-refused', 'no-staff-role'],
  })
  @Get('callback')
  async finish(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    // The pending sign-in ends here, whether it succeeds or fails.
    reply.header('set-cookie', noCookie(PENDING_COOKIE, isSecure(request, this.settings)));
    await this.answered(request, reply, async () => {
      await sendOnward(reply, await this.proven(request, reply));
    });
  }

  /** Sends errors as a page to a browser, and as JSON to any other client. */
  private async answered(request: FastifyRequest, reply: FastifyReply, step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      const reported = this.reported(error, request);
      if (!(reported instanceof ApiError) || !takesPages(request)) throw reported;
      await sendRefusal(reply, reported.definition.status, reported.message);
    }
  }

  /** Creates the session and returns the path to continue with. */
  private async proven(request: FastifyRequest, reply: FastifyReply): Promise<string> {
    const { provider, oidc } = this.required();
    const pending = await readPending(
      this.personalData,
      readCookie(request, PENDING_COOKIE, isSecure(request, this.settings)),
      this.systemClock.now(),
    );
    if (!pending) throw new SignInRefused('no-sign-in-under-way');
    const identity = await provider.finish(new URL(request.raw.url ?? '/', ownOrigin(request, this.settings)), pending);
    const member = memberOf(identity, oidc);
    if (member.roles.length === 0) {
      // The person may have had a role when an earlier session began.
      await this.sessions.removeOf(member.staffId);
      throw new ApiError('no-staff-role');
    }
    await this.signIn.begin(member, request, reply);
    return pending.returnTo;
  }

  private reported(error: unknown, { call }: FastifyRequest): unknown {
    if (error instanceof Unavailable) {
      this.logger.error(
        { ...call.logged, reason: reasonOf(error.cause) },
        'the sign-in provider of the staff cannot be used',
      );
      return new ApiError('service-unavailable', { message: error.message });
    }
    if (!(error instanceof SignInRefused)) return error;
    this.logger.warn({ ...call.logged, reason: error.reason }, 'a staff sign-in was refused');
    return new ApiError('sign-in-refused', { headers: { 'www-authenticate': 'Session' } });
  }

  private required(): { readonly provider: SignInProvider; readonly oidc: NonNullable<StaffSettings['oidc']> } {
    const {
      provider,
      settings: { oidc },
    } = this;
    if (!provider || !oidc) throw new ApiError('route-not-found');
    return { provider, oidc };
  }

  private redirectUri(request: FastifyRequest): string {
    return `${ownOrigin(request, this.settings)}${OIDC_PATH}/callback`;
  }
}

/** An error code or name of the library or the network, never text from the provider. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'unknown';
  const { code } = cause as { code?: unknown };
  return typeof code === 'string' ? code : cause.name;
}
