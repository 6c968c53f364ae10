import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { RegisterStaffUser, StaffUserRecord } from '@ponte/contracts';
import { localStaffId, openSecret } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { refuse } from '@ponte/kernel';
import { RequestCommand, PERSONAL_DATA } from '@ponte/nest';
import { StaffUsers } from './staff-users.repository';
import type { OnboardingSettings } from '../onboarding-settings.port';
import { ONBOARDING_SETTINGS_OF } from '../onboarding-settings.port';
import { hashPassword } from './passwords';

const MIN_PASSWORD = 12;

export class RegisterStaffUserCommand extends RequestCommand<typeof RegisterStaffUser> {}

/** Registers a local sign-in. Sandbox only: elsewhere staff use their identity provider, and we store no passwords. */
@CommandHandler(RegisterStaffUserCommand)
export class RegisterStaffUserHandler implements ICommandHandler<RegisterStaffUserCommand> {
  constructor(
    private readonly users: StaffUsers,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    @Inject(ONBOARDING_SETTINGS_OF) private readonly settings: OnboardingSettings,
  ) {}

  async execute({ payload: { name, roles, password }, context }: RegisterStaffUserCommand): Promise<StaffUserRecord> {
    if (this.settings.environment !== 'sandbox')
      refuse('role-not-allowed', 'local sign-ins are available only in the sandbox');
    const secret = await openSecret(this.personalData, password);
    if (secret.length < MIN_PASSWORD)
      refuse('invalid-format', `must have at least ${MIN_PASSWORD} characters`, 'password');
    const passwordHash = await hashPassword(secret);
    const state = await this.users.execute(
      localStaffId(name),
      (at) => ({ kind: 'register', name, roles, passwordHash, at }),
      context,
    );
    if (state.status === 'absent') throw new Error('a user that was just registered is missing');
    return state.record;
  }
}
