import { refuse } from '@ponte/kernel';
import type { ContractCall, MintRequest, RedemptionRequest, TokenSendRequest, TransferRequest } from '../../chain.port';
import { SELECTORS } from './abi';
import { type Deployment, contractOf, issueOf } from '../deployment';
import { callData } from './words';

/**
 * Gas limits, about twice what a first call to a new holder takes (measured: mint 102,196, shares 172,005, transfer
 * 51,567). Fixed, because an estimate made before the sender's earlier transactions are mined is wrong or fails.
 */
const MINT_GAS = 200_000n;
const MINT_SHARES_GAS = 400_000n;
const TRANSFER_GAS = 120_000n;
/**
 * Of a movement out of custody: for the call itself, and for each wallet, which may have to be deployed (measured:
 * 75,000 and 90,000).
 */
const SEND_GAS = 150_000n;
const SEND_GAS_PER_WALLET = 180_000n;
/** Of a redemption: as a movement, and what the vault and the burning take. */
const REDEEM_GAS = 300_000n;

/** Refused with `asset-not-supported` for a token that someone else issues. */
export function mintCall(
  deployment: Deployment,
  { reference, asset, to, units, mostBacking }: MintRequest,
): ContractCall {
  const token = contractOf(deployment, asset);
  const issue = issueOf(asset);
  switch (issue) {
    case 'minted':
      return { to: deployment.minter, data: callData(SELECTORS.mint, [reference, token, to, units]), gas: MINT_GAS };
    case 'share': {
      if (mostBacking === undefined) throw new TypeError(`${asset} is a share: a mint must say what it may cost`);
      return {
        to: deployment.minter,
        data: callData(SELECTORS.mintShares, [reference, token, to, units, mostBacking]),
        gas: MINT_SHARES_GAS,
      };
    }
    case 'foreign':
      return refuse('asset-not-supported', `${asset} is issued by someone else and cannot be minted`, 'asset');
  }
}

export function transferCall(deployment: Deployment, { asset, to, units }: TransferRequest): ContractCall {
  return { to: contractOf(deployment, asset), data: callData(SELECTORS.transfer, [to, units]), gas: TRANSFER_GAS };
}

/** Moves tokens out of wallets in our custody, once for its reference. */
export function sendTokenCall(
  deployment: Deployment,
  { reference, asset, to, units, wallets }: TokenSendRequest,
): ContractCall {
  // The list is the last argument: where it begins, how long it is, its elements. All of it is words of 32 bytes.
  const words = [reference, contractOf(deployment, asset), to, units, LIST_OFFSET, BigInt(wallets.length), ...wallets];
  return {
    to: deployment.custody,
    data: callData(SELECTORS.sendToken, words),
    gas: SEND_GAS + SEND_GAS_PER_WALLET * BigInt(wallets.length),
  };
}

/**
 * Burns tokens out of wallets in our custody, or redeems vault shares and burns the proceeds; once for its reference.
 */
export function redeemCall(
  deployment: Deployment,
  { reference, asset, units, leastBacking, wallets }: RedemptionRequest,
): ContractCall {
  const token = contractOf(deployment, asset);
  const list = [BigInt(wallets.length), ...wallets];
  const gas = REDEEM_GAS + SEND_GAS_PER_WALLET * BigInt(wallets.length);
  const issue = issueOf(asset);
  switch (issue) {
    case 'minted':
      return {
        to: deployment.custody,
        data: callData(SELECTORS.redeemToken, [reference, token, units, LIST_OFFSET - WORD, ...list]),
        gas,
      };
    case 'share': {
      if (leastBacking === undefined)
        throw new TypeError(`${asset} is a share: a redemption must say what it must bring`);
      return {
        to: deployment.custody,
        data: callData(SELECTORS.redeemShares, [reference, token, units, leastBacking, LIST_OFFSET, ...list]),
        gas,
      };
    }
    case 'foreign':
      return refuse('asset-not-supported', `${asset} is issued by another company and cannot be redeemed`, 'asset');
  }
}

const WORD = 32n;
/** Bytes before the list: five arguments of 32 bytes. */
const LIST_OFFSET = 160n;
