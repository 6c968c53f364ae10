import { WhenAddressReviewedGoOn } from './address-screening/when-address-reviewed-go-on.policy';
import { CERTIFICATE_POLICIES } from './certificates/certificates.module';
import { WhenWalletCreatedCheckEarlyDeposits } from './early-deposits/when-wallet-created-check-early-deposits.policy';
import { WhenReorgedAfterCompletionFreezeAccount } from './reorg/when-reorged-after-completion-freeze-account.policy';
import { WhenTransactionLostReportLoss } from './reorg/when-transaction-lost-report-loss.policy';
import { WhenWithdrawalStartedSendTokens } from './token-withdrawal/when-withdrawal-started-send-tokens.policy';
import { WhenSendingStartedSendSuspense } from './suspense-sending/when-sending-started-send-suspense.policy';
import { WhenTransactionEndedEndTransfer } from './transfer/when-transaction-ended-end-transfer.policy';
import { WhenTransactionSignedNotePending } from './transfer/when-transaction-signed-note-pending.policy';
import { WhenTransferCreatedSendIt } from './transfer/when-transfer-created-send-it.policy';
import { WhenTransferFailedReleaseHold } from './transfer-holds/when-transfer-failed-release-hold.policy';
import { WhenAccountOpenedProvisionWallets } from './wallet/when-account-opened-provision-wallets.policy';

/** The policies of the service, in the order in which they run. */
export const MOVEMENTS_POLICIES = [
  WhenAccountOpenedProvisionWallets,
  WhenReorgedAfterCompletionFreezeAccount,
  WhenTransactionLostReportLoss,
  WhenTransferCreatedSendIt,
  WhenTransactionSignedNotePending,
  WhenTransactionEndedEndTransfer,
  WhenTransferFailedReleaseHold,
  WhenWithdrawalStartedSendTokens,
  WhenSendingStartedSendSuspense,
  ...CERTIFICATE_POLICIES,
  WhenAddressReviewedGoOn,
  WhenWalletCreatedCheckEarlyDeposits,
] as const;
