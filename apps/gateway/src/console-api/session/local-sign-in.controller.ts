import { Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { localStaffId, sealRequest, SignInStaff } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { PERSONAL_DATA } from '@ponte/nest';
import { Services } from '../../edge/request-context.service';
import { ApiError } from '../../errors/api-error';
import { described } from '../../openapi/operation-spec';
import { Operation, Resource } from '../../openapi/operation';
import { STAFF_SETTINGS } from '../../gateway-tokens.port';
import { SignInAttempts } from '../../staff/attempts.service';
import { isSameOrigin } from '../../staff/origin';
import { StaffSignIn } from '../../staff/sign-in.service';
import type { StaffSettings } from '../../staff.config';
import { sessionDto, SessionEnvelopeDto, SignInDto } from './session.dto';

/** Sign-in by name and password. Only the sandbox has this route. */
@Resource('staff/v1/session', 'session')
export class LocalSignInController {
  constructor(
    private readonly services: Services,
    private readonly signIn: StaffSignIn,
    private readonly attempts: SignInAttempts,
    @Inject(STAFF_SETTINGS) private readonly settings: StaffSettings,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  @Operation({
    id: 'staff-sign-in',
    summary: 'Sign in with a name and password',
    reach: 'public',
    keyed: false,
    body: described(SignInDto),
    answer: described(SessionEnvelopeDto),
    errors: ['sign-in-refused', 'cross-origin-request', 'rate-limited'],
  })
  @Post()
  async begin(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionEnvelopeDto> {
    // Otherwise another site could sign the browser in under an identity that the site chooses.
    if (!isSameOrigin(request, this.settings)) throw new ApiError('cross-origin-request');
    if (!this.settings.localSignIn) throw new ApiError('route-not-found');
    const { name: entered, password } = request.body as SignInDto;
    // The case of a name has no meaning, so another case must not allow further attempts.
    const name = entered.toLowerCase();
    this.attempts.take(name, request.ip);
    const user = await this.services.request(
      SignInStaff,
      { staffId: localStaffId(name), password: await sealRequest(this.personalData, { secret: password }) },
      request.call,
    );
    if (!user) throw new ApiError('sign-in-refused', { headers: { 'www-authenticate': 'Session' } });
    this.attempts.giveBack(name, request.ip);
    const begun = await this.signIn.begin({ ...user, way: 'local', refreshToken: null }, request, reply);
    return { session: sessionDto(begun, user.name, this.settings) };
  }
}
