import { Inject, Injectable } from '@nestjs/common';
import type { PersonalData } from '@ponte/event-sourcing';
import { PERSONAL_DATA } from '@ponte/nest';
import type { StaffMembers } from './staff-members.port';
import { STAFF_MEMBERS } from './staff-members.port';

/** The name of a staff member by id; null when the id has never signed in or is not a staff id. */
export type NameOf = (staffId: string) => string | null;

/** Looks up the names of the staff ids in queues and histories. */
@Injectable()
export class StaffNames {
  constructor(
    @Inject(STAFF_MEMBERS) private readonly members: StaffMembers,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  async of(ids: readonly (string | null)[]): Promise<NameOf> {
    const distinctIds = [...new Set(ids)].filter((id): id is string => id !== null);
    const found = await this.members.named(distinctIds);
    const names = new Map(
      await Promise.all(found.map(async ({ staffId, name }) => [staffId, await this.personalData.open(name)] as const)),
    );
    return (staffId) => names.get(staffId) ?? null;
  }
}
