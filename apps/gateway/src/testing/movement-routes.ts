import { CertificatesDto } from '../api/certificates/certificate.dto';
import { DepositEnvelopeDto, DepositsDto, FundingCodeDto } from '../api/deposits/deposit.dto';
import { NftTransferEnvelopeDto, NftTransfersDto } from '../api/nft-transfers/nft-transfer.dto';
import { SAMPLE } from '../api/samples';
import { TransferEnvelopeDto, TransfersDto } from '../api/transfers/transfer.dto';
import { WalletBalancesDto } from '../api/wallets/wallet-balances.dto';
import { WalletEnvelopeDto, WalletsDto } from '../api/wallets/wallet.dto';
import { WithdrawalDto, WithdrawalEnvelopeDto, WithdrawalsDto } from '../api/withdrawals/withdrawal.dto';
import type { RouteCase } from './route-case';
import { at, get, of, patch, post } from './route-case';

const WALLET = { 'wallet-name': 'Savings', chain: 'eth-base', metadata: { label: 'Savings' } };
const TRANSFER = {
  'source-address': SAMPLE.wallet,
  asset: 'eth-base/brlv',
  amount: '25.00',
  'target-address': SAMPLE.otherWallet,
};
const NFT_TRANSFER = {
  'source-address': SAMPLE.wallet,
  'target-address': SAMPLE.otherWallet,
  'reward-certificate-id': SAMPLE.certificateId,
};

const WITHDRAWAL = { asset: 'fiat/brl', method: 'pix', amount: '10.00', 'pix-key': SAMPLE.pixKey, 'bank-code': null };
const TED = {
  method: 'ted',
  amount: '10.00',
  'bank-code': '756',
  'branch-number': '1',
  'account-number': '123456-7',
  'account-holder-name': 'Ana Duarte',
  'account-holder-tax-id': '52998224725',
};

/** Routes for deposits, movements and withdrawals of money and tokens. */
export const MOVEMENT_ROUTES: readonly RouteCase[] = [
  post('create-withdrawal', 'account', of('/withdrawals'), WITHDRAWAL, WithdrawalEnvelopeDto),
  get('list-withdrawals', 'account', of('/withdrawals'), WithdrawalsDto),
  get('get-withdrawal', 'account', of(`/withdrawals/${SAMPLE.withdrawalId}`), WithdrawalDto),
  post('create-withdrawal-v0', 'own', at('/api/v0/withdrawals'), WITHDRAWAL, WithdrawalEnvelopeDto),
  get('list-withdrawals-v0', 'own', at('/api/v0/withdrawals'), WithdrawalsDto),
  get('get-withdrawal-v0', 'own', at(`/api/v0/withdrawals/${SAMPLE.withdrawalId}`), WithdrawalDto),
  post('create-asset-withdrawal-v0', 'own', at('/api/v0/assets/brl/withdrawals'), TED, WithdrawalEnvelopeDto),
  get('list-asset-withdrawals-v0', 'own', at('/api/v0/assets/brl/withdrawals'), WithdrawalsDto),
  get('get-asset-withdrawal-v0', 'own', at(`/api/v0/assets/brl/withdrawals/${SAMPLE.withdrawalId}`), WithdrawalDto),
  get('list-wallets', 'account', of('/wallets'), WalletsDto),
  post('create-wallet', 'account', of('/wallets'), WALLET, WalletEnvelopeDto),
  patch(
    'change-wallet',
    'account',
    of(`/wallets/${SAMPLE.walletId}/metadata`),
    { 'ui-enabled': true },
    WalletEnvelopeDto,
  ),
  get('get-wallet-balances', 'account', of(`/wallets/${SAMPLE.walletId}/balances`), WalletBalancesDto),
  get('list-wallets-v0', 'own', at('/api/v0/wallets'), WalletsDto),
  post('create-wallet-v0', 'own', at('/api/v0/wallets'), WALLET, WalletEnvelopeDto),
  patch(
    'change-wallet-v0',
    'own',
    at(`/api/v0/wallets/${SAMPLE.walletId}/metadata`),
    { metadata: { label: null } },
    WalletEnvelopeDto,
  ),
  post('create-transfer', 'account', of('/transfers'), TRANSFER, TransferEnvelopeDto),
  get('list-transfers', 'account', of('/transfers'), TransfersDto),
  get('get-transfer', 'account', of(`/transfers/${SAMPLE.transferId}`), TransferEnvelopeDto),
  post('create-transfer-v0', 'own', at('/api/v0/transfers'), TRANSFER, TransferEnvelopeDto),
  get('list-transfers-v0', 'own', at('/api/v0/transfers'), TransfersDto),
  get('get-transfer-v0', 'own', at(`/api/v0/transfers/${SAMPLE.transferId}`), TransferEnvelopeDto),
  get('list-reward-certificates', 'account', of('/reward-certificates'), CertificatesDto),
  post('create-nft-transfer', 'account', of('/nft-transfers'), NFT_TRANSFER, NftTransferEnvelopeDto),
  get('list-nft-transfers', 'account', of('/nft-transfers'), NftTransfersDto),
  get('get-nft-transfer', 'account', of(`/nft-transfers/${SAMPLE.nftTransferId}`), NftTransferEnvelopeDto),
  post('create-nft-transfer-v0', 'own', at('/api/v0/nft-transfers'), NFT_TRANSFER, NftTransferEnvelopeDto),
  get('list-nft-transfers-v0', 'own', at('/api/v0/nft-transfers'), NftTransfersDto),
  get('get-nft-transfer-v0', 'own', at(`/api/v0/nft-transfers/${SAMPLE.nftTransferId}`), NftTransferEnvelopeDto),
  get('list-deposits', 'account', of('/assets/brl/deposits'), DepositsDto),
  get('get-funding-code', 'account', of('/deposits/pix'), FundingCodeDto),
  get('get-deposit', 'account', of(`/assets/brl/deposits/${SAMPLE.depositId}`), DepositEnvelopeDto),
  get('list-deposits-v0', 'own', at('/api/v0/assets/brl/deposits'), DepositsDto),
  get('get-deposit-v0', 'own', at(`/api/v0/assets/brl/deposits/${SAMPLE.depositId}`), DepositEnvelopeDto),
];
