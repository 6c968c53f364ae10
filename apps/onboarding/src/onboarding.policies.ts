import { WhenAccountClosedNoteClosing } from './account-closing/when-account-closed-note-closing.policy';
import { WhenAccountStoppedNoteInRequests } from './review/when-account-stopped-note-in-requests.policy';
import { WhenFileDeletedDeleteBytes } from './evidence-file/when-file-deleted-delete-bytes.policy';
import { WhenLivenessSessionNamedNoteSharing } from './liveness/when-liveness-session-named-note-sharing.policy';
import { WhenPersonErasedShred } from './person/when-person-erased-shred.policy';
import { WhenPersonNamedNoteMention } from './person/when-person-named-note-mention.policy';
import { WhenWithdrawalCreatedNotePayee } from './person/when-withdrawal-created-note-payee.policy';
import { WhenPixReceivedNoteMention } from './person/when-pix-received-note-mention.policy';
import { WhenRequestChangedNoteTraits } from './duplicates/when-request-changed-note-traits.policy';
import { WhenRequestApprovedProvisionAccount } from './account/when-request-approved-provision-account.policy';
import { WhenRequestEndedFreeReservations } from './reservation/when-request-ended-free-reservations.policy';
import { WhenRequestMadeReferenceFiles } from './evidence-file/when-request-made-reference-files.policy';
import { WhenRequestMadeStartScreening } from './screening/when-request-made-start-screening.policy';
import { WhenScreeningStartedScreenRequest } from './screening/when-screening-started-screen-request.policy';
import { WhenTrueMatchJudgedCarryIt } from './ongoing-screening/when-true-match-judged-carry-it.policy';

/** The policies of this service. Policies of the same event run in this order. */
export const POLICIES = [
  WhenAccountClosedNoteClosing,
  WhenAccountStoppedNoteInRequests,
  WhenFileDeletedDeleteBytes,
  WhenLivenessSessionNamedNoteSharing,
  WhenPersonErasedShred,
  WhenPersonNamedNoteMention,
  WhenRequestApprovedProvisionAccount,
  WhenPixReceivedNoteMention,
  WhenWithdrawalCreatedNotePayee,
  WhenRequestEndedFreeReservations,
  WhenRequestMadeReferenceFiles,
  WhenRequestMadeStartScreening,
  WhenRequestChangedNoteTraits,
  WhenScreeningStartedScreenRequest,
  WhenTrueMatchJudgedCarryIt,
];
