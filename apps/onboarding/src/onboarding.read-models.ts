import { rebuildableReadModels } from '@ponte/nest';
import { AccountRequestReadModel } from './account-request/account-requests.read-model';
import { PendingSteps } from './account-freeze/pending-steps.read-model';
import { AccountReadModel } from './account/accounts.read-model';
import { EvidenceFileReadModel } from './evidence-file/evidence-files.read-model';
import { FindingReadModel } from './ongoing-screening/findings.read-model';
import { ScreeningRoundReadModel } from './screening-round/screening-rounds.read-model';
import { RESERVATIONS } from './reservation/unsettled-reservations.read-model';

export const ONBOARDING_READ_MODELS = [
  AccountReadModel,
  AccountRequestReadModel,
  EvidenceFileReadModel,
  FindingReadModel,
  PendingSteps,
  RESERVATIONS,
  ScreeningRoundReadModel,
];

/** The read models of this service, and how they are rebuilt. */
export const ONBOARDING_REBUILDABLE = rebuildableReadModels(ONBOARDING_READ_MODELS);
