import { Inject } from '@nestjs/common';
import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { SignInStaff, StaffUserRecord, GetStaffUser } from '@ponte/contracts';
import { openSecret } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { isUuid } from '@ponte/kernel';
import { PERSONAL_DATA, RequestQuery } from '@ponte/nest';
import { isPassword } from './passwords';
import { StaffUsers } from './staff-users.repository';
import type { OnboardingSettings } from '../onboarding-settings.port';
import { ONBOARDING_SETTINGS_OF } from '../onboarding-settings.port';

/** Anonymous callers can trigger scrypt, so passwords are hashed only up to this length. */
const MAX_PASSWORD = 200;

export class SignInStaffQuery extends RequestQuery<typeof SignInStaff> {}

@QueryHandler(SignInStaffQuery)
export class SignInStaffHandler implements IQueryHandler<SignInStaffQuery> {
  constructor(
    private readonly users: StaffUsers,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    @Inject(ONBOARDING_SETTINGS_OF) private readonly settings: OnboardingSettings,
  ) {}

  async execute({ payload: { staffId, password } }: SignInStaffQuery): Promise<StaffUserRecord | null> {
    if (this.settings.environment !== 'sandbox') return null;
    const secret = await openSecret(this.personalData, password);
    const state = await this.users.load(staffId);
    const hash = state.status === 'registered' ? state.passwordHash : undefined;
    const right = await isPassword(secret.slice(0, MAX_PASSWORD), hash);
    return right && state.status === 'registered' && secret.length <= MAX_PASSWORD ? state.record : null;
  }
}

export class GetStaffUserQuery extends RequestQuery<typeof GetStaffUser> {}

@QueryHandler(GetStaffUserQuery)
export class GetStaffUserHandler implements IQueryHandler<GetStaffUserQuery> {
  constructor(private readonly users: StaffUsers) {}

  async execute({ payload: { staffId } }: GetStaffUserQuery): Promise<StaffUserRecord | null> {
    if (!isUuid(staffId)) return null;
    const state = await this.users.load(staffId);
    return state.status === 'registered' ? state.record : null;
  }
}
