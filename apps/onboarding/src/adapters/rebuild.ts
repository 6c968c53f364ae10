import { rebuildableViews } from '@ponte/nest';
import { AccountRequestReadModel } from '../views/account-requests.read-model';
import { AccountReadModel } from '../views/accounts.read-model';
import { EvidenceFileReadModel } from '../views/evidence-files.read-model';
import { RESERVATIONS } from './views/unsettled-reservations';

export const ONBOARDING_READ_MODELS = [AccountReadModel, AccountRequestReadModel, EvidenceFileReadModel, RESERVATIONS];

/** What this service shows, and how it is rebuilt. */
export const ONBOARDING_VIEWS = rebuildableViews(ONBOARDING_READ_MODELS);
