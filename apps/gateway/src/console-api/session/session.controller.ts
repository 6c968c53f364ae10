import { Delete, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PersonalData } from '@ponte/event-sourcing';
import { PERSONAL_DATA } from '@ponte/nest';
import { described } from '../../openapi/operation-spec';
import { Operation, Resource } from '../../openapi/operation';
import type { StaffSessions } from '../../staff/staff-sessions.port';
import { STAFF_SESSIONS } from '../../staff/staff-sessions.port';
import { STAFF_SETTINGS } from '../../gateway-tokens.port';
import { signedIn } from '../../staff/call';
import { noCookie, SESSION_COOKIE } from '../../staff/cookies';
import { StaffOperation } from '../../staff/operation';
import { isSecure } from '../../staff/origin';
import type { StaffSettings } from '../../staff.config';
import { sessionDto, SessionEnvelopeDto, WaysDto } from './session.dto';

export const OIDC_PATH = '/staff/v1/session/oidc';

/** The current session, and the available ways to sign in. */
@Resource('staff/v1/session', 'session')
export class SessionController {
  constructor(
    @Inject(STAFF_SESSIONS) private readonly sessions: StaffSessions,
    @Inject(STAFF_SETTINGS) private readonly settings: StaffSettings,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  @Operation({
    id: 'staff-list-ways',
    summary: 'Show how staff can sign in',
    reach: 'public',
    answer: described(WaysDto),
  })
  @Get('ways')
  ways(): WaysDto {
    const { localSignIn, oidc } = this.settings;
    return { local: localSignIn, oidc: oidc && { name: oidc.name, href: OIDC_PATH } };
  }

  @StaffOperation('staff-get-session', {
    summary: 'Show who is signed in, and when the session ends',
    answer: described(SessionEnvelopeDto),
  })
  @Get()
  async session(@Req() { call }: FastifyRequest): Promise<SessionEnvelopeDto> {
    const who = signedIn(call);
    return { session: sessionDto(who, await this.personalData.open(who.session.name), this.settings) };
  }

  @StaffOperation('staff-sign-out', { summary: 'Sign out', status: 204 })
  @Delete()
  async signOut(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    await this.sessions.remove(signedIn(request.call).session.id);
    reply.header('set-cookie', noCookie(SESSION_COOKIE, isSecure(request, this.settings)));
  }
}
