import { CloseAccountHandler } from './account-closing/close-account.command';
import { NoteAccountClosedHandler } from './account-closing/note-account-closed.command';
import { AddressFindings } from './account-freeze/address-findings.service';
import { OpenWork } from './account-closing/open-work.service';
import { FreezeAccountHandler } from './account-freeze/freeze-account.command';
import { FreezeAutomaticallyHandler } from './account-freeze/freeze-automatically.command';
import { FreezeMetrics } from './account-freeze/freeze.metrics';
import { PendingStepMetrics } from './account-freeze/pending-step.metrics';
import { OpenAccountStandingHandler } from './account-freeze/open-account-standing.command';
import { StandingViews } from './account-freeze/standing-views.service';
import { AccountRequests } from './account-request/account-requests.service';
import { ApiKeys } from './api-key/api-keys.repository';
import { StaffUsers } from './staff-user/staff-users.repository';
import { Accounts } from './account/accounts.service';
import { CancelAccountRequestHandler } from './request-intake/cancel-account-request.command';
import { AdvanceRequestHandler } from './request-intake/advance-request.command';
import { ChangeCapabilitiesHandler } from './account/change-capabilities.command';
import { CreateAccountRequestHandler } from './request-intake/create-account-request.command';
import { CreateApiKeyHandler } from './api-key/create-api-key.command';
import { CreateRelianceRequestHandler } from './request-intake/create-reliance-request.command';
import { DecideInSandboxHandler } from './review/decide-in-sandbox.command';
import { DueScreenings } from './request-intake/due-screenings.service';
import { DueWork } from './request-intake/due-work.service';
import { ErasePersonHandler } from './person/erase-person.command';
import { EvidenceFiles } from './evidence-file/evidence-files.repository';
import { FreeReservationsHandler } from './reservation/free-reservations.command';
import { PersonalDataInventory } from './person/personal-data-inventory.service';
import { LivenessSessions } from './liveness/liveness-sessions.service';
import { NoteSharedLivenessHandler } from './liveness/note-shared-liveness.command';
import { OpenAccountHandler } from './account/open-account.command';
import { OpenPrivacyReportHandler } from './person/open-privacy-report.command';
import { OpenReviewCaseHandler } from './review/open-review-case.command';
import { OpenReviewFileHandler } from './review/open-review-file.command';
import { PersonFindings } from './screening/person-findings.service';
import { PersonMatches } from './screening/person-matches.service';
import { Persons } from './person/persons.service';
import { Placement } from './request-intake/placement.service';
import { ProvideInformationHandler } from './request-intake/provide-information.command';
import { ProvisionAccountHandler } from './account/provision-account.command';
import { RecordLivenessHandler } from './liveness/record-liveness.command';
import { RecordNoteViewHandler } from './person/record-note-view.command';
import { RecordUsdDepositViewHandler } from './person/record-usd-deposit-view.command';
import { ReferenceFilesHandler } from './evidence-file/reference-files.command';
import { RegisterBankAccountHandler } from './account/register-bank-account.command';
import { RegisterEvidenceFileHandler } from './evidence-file/register-evidence-file.command';
import { RegisterStaffUserHandler } from './staff-user/register-staff-user.command';
import { FilesAndWalletsReader } from './request-intake/files-and-wallets.service';
import { RequestIntake } from './request-intake/request-intake.service';
import { Reservations } from './reservation/reservations.service';
import { ReviewRequestHandler } from './review/review-request.command';
import { RequestMetrics } from './review/request.metrics';
import { RevokeApiKeyHandler } from './api-key/revoke-api-key.command';
import { ScreeningQueue } from './request-intake/screening-queue.service';
import { ScreenRequestHandler } from './screening/screen-request.command';
import { SettleReservationHandler } from './reservation/settle-reservation.command';
import { ShownPeople } from './review/shown-people.service';
import { Shredder } from './person/shredder.service';
import { SweepBlobs } from './evidence-file/sweep-blobs.service';
import { WhitelistWalletHandler } from './wallet/whitelist-wallet.command';

/** The command handlers of the module and the services that they use. */
export const COMMANDS = [
  CloseAccountHandler,
  NoteAccountClosedHandler,
  OpenWork,
  AddressFindings,
  FreezeAccountHandler,
  FreezeAutomaticallyHandler,
  FreezeMetrics,
  PendingStepMetrics,
  OpenAccountStandingHandler,
  StandingViews,
  RequestMetrics,
  ApiKeys,
  StaffUsers,
  AccountRequests,
  Accounts,
  CancelAccountRequestHandler,
  AdvanceRequestHandler,
  ChangeCapabilitiesHandler,
  CreateAccountRequestHandler,
  CreateApiKeyHandler,
  CreateRelianceRequestHandler,
  DecideInSandboxHandler,
  DueScreenings,
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
  PersonMatches,
  Persons,
  Placement,
  ProvideInformationHandler,
  ProvisionAccountHandler,
  RecordLivenessHandler,
  RecordNoteViewHandler,
  RecordUsdDepositViewHandler,
  ReferenceFilesHandler,
  RegisterBankAccountHandler,
  RegisterEvidenceFileHandler,
  RegisterStaffUserHandler,
  FilesAndWalletsReader,
  RequestIntake,
  Reservations,
  ReviewRequestHandler,
  RevokeApiKeyHandler,
  ScreeningQueue,
  ScreenRequestHandler,
  SettleReservationHandler,
  ShownPeople,
  Shredder,
  SweepBlobs,
  WhitelistWalletHandler,
];
