import { Get, Inject, Post, Req } from '@nestjs/common';
import type { Logger } from 'pino';
import type { PersonalData } from '@ponte/event-sourcing';
import { isoTime } from '@ponte/kernel';
import { LOGGER, PERSONAL_DATA } from '@ponte/nest';
import type { AccountRequest } from '../../edge/request-context.service';
import { described } from '../../openapi/operation-spec';
import { Resource } from '../../openapi/operation';
import type { StaffMember, StaffMembers } from '../../staff/staff-members.port';
import { STAFF_MEMBERS } from '../../staff/staff-members.port';
import type { StaffSessions } from '../../staff/staff-sessions.port';
import { STAFF_SESSIONS } from '../../staff/staff-sessions.port';
import { signedIn } from '../../staff/call';
import { StaffOperation } from '../../staff/operation';
import type { MemberDto } from './member.dto';
import { EndedSessionsDto, MembersDto } from './member.dto';

/** More than the number of staff members. */
const MAX_MEMBERS = 1_000;

/** The staff members who have signed in. */
@Resource('staff/v1/staff', 'members')
export class MembersController {
  constructor(
    @Inject(STAFF_MEMBERS) private readonly members: StaffMembers,
    @Inject(STAFF_SESSIONS) private readonly sessions: StaffSessions,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @StaffOperation('staff-list-members', {
    summary: 'List every staff member who has signed in',
    answer: described(MembersDto),
  })
  @Get()
  async list(): Promise<MembersDto> {
    return { staff: await Promise.all((await this.members.list(MAX_MEMBERS)).map((member) => this.shown(member))) };
  }

  /** Returns 0 for a person who has never signed in. */
  @StaffOperation('staff-end-sessions', {
    summary: 'End every session of a staff member at once',
    answer: described(EndedSessionsDto),
  })
  @Post(':id/end-sessions')
  async endSessions(@Req() { call, params }: AccountRequest): Promise<EndedSessionsDto> {
    const staffId = params['id'] ?? '';
    const ended = await this.sessions.removeOf(staffId);
    if (ended > 0)
      this.logger.info(
        { ...call.logged, staffId, endedBy: signedIn(call).actor.staffId, sessions: ended },
        'the sessions of a staff member were ended',
      );
    return { ended };
  }

  private async shown({ staffId, name, roles, way, signedInAtMs }: StaffMember): Promise<MemberDto> {
    return {
      id: staffId,
      name: await this.personalData.open(name),
      roles: [...roles],
      way,
      'last-signed-in-at': isoTime(signedInAtMs),
    };
  }
}
