import { AccountRequests } from './account-requests';
import { Accounts } from './accounts';
import { CancelAccountRequestHandler } from './cancel-account-request.command';
import { AdvanceRequestHandler } from './advance-request.command';
import { ChangeCapabilitiesHandler } from './change-capabilities.command';
import { CreateAccountRequestHandler } from './create-account-request.command';
import { CreateApiKeyHandler } from './create-api-key.command';
import { CreateRelianceRequestHandler } from './create-reliance-request.command';
import { DecideInSandboxHandler } from './decide-in-sandbox.command';
import { DeleteBytesHandler } from './delete-bytes.command';
import { DueWork } from './due-work';
import { ErasePersonHandler } from './erase-person.command';
import { EvidenceFiles } from './evidence-files.repository';
import { FreeReservationsHandler } from './free-reservations.command';
import { PersonalDataInventory } from './personal-data-inventory';
import { LivenessSessions } from './liveness-sessions';
import { NoteSharedLivenessHandler } from './note-shared-liveness.command';
import { OpenAccountHandler } from './open-account.command';
import { OpenPrivacyReportHandler } from './open-privacy-report.command';
import { OpenReviewCaseHandler } from './open-review-case.command';
import { OpenReviewFileHandler } from './open-review-file.command';
import { PersonFindings } from './person-findings';
import { Persons } from './persons';
import { Placement } from './placement';
import { ProvideInformationHandler } from './provide-information.command';
import { ProvisionAccountHandler } from './provision-account.command';
import { RecordLivenessHandler } from './record-liveness.command';
import { ReferenceFilesHandler } from './reference-files.command';
import { RegisterBankAccountHandler } from './register-bank-account.command';
import { RegisterEvidenceFileHandler } from './register-evidence-file.command';
import { RegisterStaffUserHandler } from './register-staff-user.command';
import { RequestFactsGatherer } from './request-facts';
import { RequestIntake } from './request-intake';
import { Reservations } from './reservations';
import { ReserveOwnWalletHandler } from './reserve-own-wallet.command';
import { ReviewRequestHandler } from './review-request.command';
import { RevokeApiKeyHandler } from './revoke-api-key.command';
import { ScreenRequestHandler } from './screen-request.command';
import { SettleReservationHandler } from './settle-reservation.command';
import { ShownPeople } from './shown-people';
import { Shredder } from './shredder';
import { SweepBlobs } from './sweep-blobs';
import { WhitelistWalletHandler } from './whitelist-wallet.command';

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
