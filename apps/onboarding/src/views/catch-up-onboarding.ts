import { Injectable } from '@nestjs/common';
import type { Recorded } from '@ponte/event-sourcing';
import { Aggregates, categoryOf, idOf } from '@ponte/event-sourcing';
import { accountRequest } from '../domain/account-request/account-request';
import { isOpenRequest } from '../domain/account-request/state';
import { evidenceFile } from '../domain/evidence-file/evidence-file';
import { reservation } from '../domain/reservation/reservation';
import { AccountRequestsView } from './account-requests';
import { EvidenceFilesView } from './evidence-files';
import { ReservationsView } from './reservations';

/** The net under the views of onboarding: what a crash or a failing view left out is put in from the log. */
@Injectable()
export class CatchUpOnboarding {
  static readonly categories = [accountRequest.category, evidenceFile.category, reservation.category];

  constructor(
    private readonly aggregates: Aggregates,
    private readonly requests: AccountRequestsView,
    private readonly files: EvidenceFilesView,
    private readonly reservations: ReservationsView,
  ) {}

  async apply(events: readonly Recorded[]): Promise<void> {
    for (const stream of new Set(events.map((event) => event.stream)))
      await this.bring(categoryOf(stream), idOf(stream));
  }

  private async bring(category: string, id: string): Promise<void> {
    switch (category) {
      case accountRequest.category: {
        const { state, revision } = await this.aggregates.load(accountRequest, id);
        return isOpenRequest(state) ? this.requests.put(state, revision) : undefined;
      }
      case evidenceFile.category: {
        const { state, revision } = await this.aggregates.load(evidenceFile, id);
        return this.files.put(state, revision);
      }
      case reservation.category: {
        const { state, revision } = await this.aggregates.load(reservation, id);
        return this.reservations.put(id, state, revision);
      }
    }
  }
}
