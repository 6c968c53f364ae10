import type { RebuildableView } from '@ponte/read-models';
import { StreamFolds } from '@ponte/event-sourcing';
import { account } from '../domain/account/account';
import { accountRecord } from '../domain/account/record';
import { accountRequest } from '../domain/account-request/account-request';
import { isOpenRequest } from '../domain/account-request/state';
import { evidenceFile } from '../domain/evidence-file/evidence-file';
import { reservation } from '../domain/reservation/reservation';
import { accountRequestRow } from '../views/account-requests';
import { accountRow, requestedAccountRow } from '../views/accounts';
import { evidenceFileRow } from '../views/evidence-files';
import { ReservationsView } from '../views/reservations';
import { accountRequestsTable, accountsTable, evidenceFilesTable } from './views/tables';
import { openUnsettledReservations } from './views/unsettled-reservations';

/** Name the projectors that keep the views up to date. */
export const ACCOUNTS_READER = 'onboarding-accounts';
export const REQUESTS_READER = 'onboarding-requests';

const accounts: RebuildableView = {
  name: ACCOUNTS_READER,
  reader: ACCOUNTS_READER,
  categories: [account.category, accountRequest.category],
  tables: ['onboarding_accounts'],
  async open(db, store) {
    const rows = await accountsTable(db);
    const [ofAccounts, ofRequests] = [new StreamFolds(account, store), new StreamFolds(accountRequest, store)];
    return {
      async apply({ events }) {
        // One after the other: an account and its request are one row.
        const requested = [...(await ofRequests.add(events))];
        await rows.putAll(
          requested.flatMap(([, { state }]) => (isOpenRequest(state) ? requestedAccountRow(state) : [])),
        );
        const changed = [...(await ofAccounts.add(events))];
        await rows.putAll(
          changed.flatMap(([, { state, revision }]) =>
            state.status === 'absent' ? [] : accountRow(accountRecord(state), revision, state.terms.request),
          ),
        );
      },
    };
  },
};

const requests: RebuildableView = {
  name: REQUESTS_READER,
  reader: REQUESTS_READER,
  categories: [accountRequest.category, evidenceFile.category, reservation.category],
  tables: ['onboarding_account_requests', 'onboarding_evidence_files', 'onboarding_reservations'],
  async open(db, store) {
    const [requestReadModel, fileReadModel] = [await accountRequestsTable(db), await evidenceFilesTable(db)];
    const reservations = new ReservationsView(await openUnsettledReservations(db));
    const [ofRequests, ofFiles, ofReservations] = [
      new StreamFolds(accountRequest, store),
      new StreamFolds(evidenceFile, store),
      new StreamFolds(reservation, store),
    ];
    return {
      async apply({ events }) {
        const changed = [...(await ofRequests.add(events))];
        await requestReadModel.putAll(
          changed.flatMap(([, { state, revision }]) =>
            isOpenRequest(state) ? accountRequestRow(state, revision) : [],
          ),
        );
        await fileReadModel.putAll(
          [...(await ofFiles.add(events))].flatMap(([, { state, revision }]) => evidenceFileRow(state, revision) ?? []),
        );
        for (const [id, { state, revision }] of await ofReservations.add(events))
          await reservations.put(id, state, revision);
      },
    };
  },
};

/** What this service shows, and how it is rebuilt. */
export const ONBOARDING_VIEWS: readonly RebuildableView[] = [accounts, requests];
