import { AccountRequests } from './account-requests';
import { Accounts } from './accounts';
import { CancelAccountRequestHandler } from './cancel-account-request';
import { AdvanceRequestHandler } from './advance-request';
import { ChangeCapabilitiesHandler } from './change-capabilities';
import { CreateAccountRequestHandler } from './create-account-request';
import { CreateApiKeyHandler } from './create-api-key';
import { CreateRelianceRequestHandler } from './create-reliance-request';
import { DecideInSandboxHandler } from './decide-in-sandbox';
import { DeleteBytesHandler } from './delete-bytes';
import { DueWork } from './due-work';
import { ErasePersonHandler } from './erase-person';
import { EvidenceFiles } from './evidence-files';
import { FreeReservationsHandler } from './free-reservations';
import { PersonalDataInventory } from './personal-data-inventory';
import { LivenessSessions } from './liveness-sessions';
import { NoteSharedLivenessHandler } from './note-shared-liveness';
import { OpenAccountHandler } from './open-account';
import { OpenPrivacyReportHandler } from './open-privacy-report';
import { OpenReviewCaseHandler } from './open-review-case';
import { OpenReviewFileHandler } from './open-review-file';
import { PersonFindings } from './person-findings';
import { Persons } from './persons';
import { Placement } from './placement';
import { ProvideInformationHandler } from './provide-information';
import { ProvisionAccountHandler } from './provision-account';
import { RecordLivenessHandler } from './record-liveness';
import { ReferenceFilesHandler } from './reference-files';
import { RegisterBankAccountHandler } from './register-bank-account';
import { RegisterEvidenceFileHandler } from './register-evidence-file';
import { RegisterStaffUserHandler } from './register-staff-user';
import { RequestFactsGatherer } from './request-facts';
import { RequestIntake } from './request-intake';
import { Reservations } from './reservations';
import { ReserveOwnWalletHandler } from './reserve-own-wallet';
import { ReviewRequestHandler } from './review-request';
import { RevokeApiKeyHandler } from './revoke-api-key';
import { ScreenRequestHandler } from './screen-request';
import { SettleReservationHandler } from './settle-reservation';
import { ShownPeople } from './shown-people';
import { Shredder } from './shredder';
import { SweepBlobs } from './sweep-blobs';
import { WhitelistWalletHandler } from './whitelist-wallet';

/** What carries out commands, for the module. */
export const COMMANDS = [
  AccountRequests,
  Accounts,
  CancelAccountRequestHandler,
  AdvanceRequestHandler,
  ChangeCapabilitiesHandler,
  CreateAccountRequestHandler,
  CreateApiKeyHandler,
  CreateRelianceRequestHandler,
  DecideInSandboxHandler,
  DeleteBytesHandler,
  DueWork,
  ErasePersonHandler,
  EvidenceFiles,
  FreeReservationsHandler,
  PersonalDataInventory,
  LivenessSessions,
  NoteSharedLivenessHandler,
  OpenAccountHandler,
  OpenPrivacyReportHandler,
  OpenReviewCaseHandler,
  OpenReviewFileHandler,
  PersonFindings,
  Persons,
  Placement,
  ProvideInformationHandler,
  ProvisionAccountHandler,
  RecordLivenessHandler,
  ReferenceFilesHandler,
  RegisterBankAccountHandler,
  RegisterEvidenceFileHandler,
  RegisterStaffUserHandler,
  RequestFactsGatherer,
  RequestIntake,
  Reservations,
  ReserveOwnWalletHandler,
  ReviewRequestHandler,
  RevokeApiKeyHandler,
  ScreenRequestHandler,
  SettleReservationHandler,
  ShownPeople,
  Shredder,
  SweepBlobs,
  WhitelistWalletHandler,
];
