import { rebuildableViews } from '@ponte/nest';
import { AccountRequestReadModel } from './account-request/account-requests.read-model';
import { AccountReadModel } from './account/accounts.read-model';
import { EvidenceFileReadModel } from './evidence-file/evidence-files.read-model';
import { RESERVATIONS } from './reservation/unsettled-reservations.read-model';

export const ONBOARDING_READ_MODELS = [AccountReadModel, AccountRequestReadModel, EvidenceFileReadModel, RESERVATIONS];

/** What this service shows, and how it is rebuilt. */
export const ONBOARDING_VIEWS = rebuildableViews(ONBOARDING_READ_MODELS);
