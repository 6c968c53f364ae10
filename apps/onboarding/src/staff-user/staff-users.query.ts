import { Inject } from '@nestjs/common';
import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { SignInStaff, StaffUserRecord } from '@ponte/contracts';
import { openInTransit } from '@ponte/contracts';
import type { PayloadOf, PersonalData } from '@ponte/event-sourcing';
import { Aggregates } from '@ponte/event-sourcing';
import { isUuid } from '@ponte/kernel';
import { PERSONAL_DATA } from '@ponte/nest';
import { isPassword } from './passwords';
import { staffUser } from './staff-user.decider';
import type { OnboardingSettings } from '../onboarding-settings.port';
import { ONBOARDING_SETTINGS_OF } from '../onboarding-settings.port';

/** Callers that are not signed in can trigger scrypt, so longer passwords are not hashed. */
const MAX_PASSWORD = 200;

export class SignInStaffQuery extends Query<StaffUserRecord | null> {
  constructor(readonly payload: PayloadOf<typeof SignInStaff>) {
    super();
  }
}

@QueryHandler(SignInStaffQuery)
export class SignInStaffHandler implements IQueryHandler<SignInStaffQuery> {
  constructor(
    private readonly aggregates: Aggregates,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    @Inject(ONBOARDING_SETTINGS_OF) private readonly settings: OnboardingSettings,
  ) {}

  async execute({ payload: { staffId, password } }: SignInStaffQuery): Promise<StaffUserRecord | null> {
    if (this.settings.environment !== 'sandbox') return null;
    const { secret } = await openInTransit<{ readonly secret: string }>(this.personalData, password);
    const { state } = await this.aggregates.load(staffUser, staffId);
    const hash = state.status === 'registered' ? state.passwordHash : undefined;
    const right = await isPassword(secret.slice(0, MAX_PASSWORD), hash);
    return right && state.status === 'registered' && secret.length <= MAX_PASSWORD ? state.record : null;
  }
}

export class GetStaffUserQuery extends Query<StaffUserRecord | null> {
  constructor(readonly staffId: string) {
    super();
  }
}

@QueryHandler(GetStaffUserQuery)
export class GetStaffUserHandler implements IQueryHandler<GetStaffUserQuery> {
  constructor(private readonly aggregates: Aggregates) {}

  async execute({ staffId }: GetStaffUserQuery): Promise<StaffUserRecord | null> {
    if (!isUuid(staffId)) return null;
    const { state } = await this.aggregates.load(staffUser, staffId);
    return state.status === 'registered' ? state.record : null;
  }
}
