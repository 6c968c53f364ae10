import type { AssetId } from '@ponte/kernel';
import { chainIdOf } from '@ponte/kernel';
import { SELECTORS } from '../../../chain/adapters/rpc/abi';
import { CERTIFICATE_SELECTORS } from '../../../chain/adapters/rpc/certificates';
import type { Deployment } from '../../../chain/adapters/deployment';
import { addressIn, selectorIn, wordsIn } from '../../../chain/adapters/rpc/words';
import type { Hex } from '../../../chain/chain.port';
import type { SigningIntent } from '../../signer.port';
import type { DecodedCall } from '../../../signer-policy/signing-policy';
import { SigningRefused } from '../../../signer-policy/signing-policy';

/** Hex digits before the arguments, and of each. */
const SELECTOR_DIGITS = 10;
const WORD_DIGITS = 64;
const MINT_WORDS = 4;
const MINT_SHARES_WORDS = 5;
const CERTIFICATE_MINT_WORDS = 2;
const SEND_NFT_WORDS = 5;
/** A call of the custody contract, which ends with a list of wallets. */
interface CustodyForm {
  /** Index of the argument that says how many units move. */
  readonly amount: number;
  /** Arguments before the list, without its offset and its length. */
  readonly arguments: number;
}

/**
 * `sendToken`: reference, token, receiver, amount. `redeemToken`: reference, token, amount. `redeemShares`: reference,
 * vault, shares, least.
 */
const CUSTODY_FORMS: ReadonlyMap<string, CustodyForm> = new Map([
  [SELECTORS.sendToken, { amount: 3, arguments: 4 }],
  [SELECTORS.redeemToken, { amount: 2, arguments: 3 }],
  [SELECTORS.redeemShares, { amount: 2, arguments: 4 }],
]);
const WORD_BYTES = 32n;
/** Index of the amount in both calls of the minter: reference, token, receiver, amount. */
const MINT_AMOUNT = 3;
/** As many wallets as an account may have on a chain. */
const MOST_WALLETS = 20;

const wrong = (): never => {
  throw new SigningRefused('function', 'the call has not the form that we make');
};

interface KnownChain {
  readonly minter: Hex;
  readonly custody: Hex;
  readonly certificates: Hex | undefined;
  readonly assets: ReadonlyMap<Hex, AssetId>;
}

/**
 * Reads calls as our contracts would. Throws {@link SigningRefused} for every call that is not one of the few that we
 * make.
 */
export class CallDecoder {
  private readonly chains: ReadonlyMap<number, KnownChain>;

  constructor(deployments: readonly Deployment[]) {
    this.chains = new Map(
      deployments.map(({ chain, minter, custody, certificates, tokens }) => [
        chainIdOf(chain),
        {
          minter,
          custody,
          certificates,
          assets: new Map(Object.entries(tokens).map(([asset, address]) => [address, asset as AssetId])),
        },
      ]),
    );
  }

  decode({ chainId, to, data = '0x', value = 0n }: SigningIntent): DecodedCall {
    const chain = this.chains.get(chainId);
    if (!chain) throw new SigningRefused('chain', 'the chain is not one of ours');
    if (value !== 0n) throw new SigningRefused('value', 'our calls carry no coins');
    if (to === undefined) throw new SigningRefused('contract', 'operators deploy nothing');
    const words = wordsIn(data);
    if (data.length !== SELECTOR_DIGITS + WORD_DIGITS * words.length) wrong();
    const contract = to.toLowerCase() as Hex;
    switch (contract) {
      case chain.minter:
        return this.movement(chainId, contract, chain, words, isMint(selectorIn(data), words) ? MINT_AMOUNT : null);
      case chain.certificates:
        return certificateMint(chainId, contract, data, words);
      case chain.custody:
        if (selectorIn(data) === CERTIFICATE_SELECTORS.sendNft) return certificateMovement(chainId, chain, words);
        return this.movement(chainId, contract, chain, words, custodyAmount(selectorIn(data), words));
      default:
        throw new SigningRefused('contract', 'the contract is not one that operators call');
    }
  }

  /** `amountAt` is the index of the amount; null when the function is not one that operators call. */
  private movement(
    chainId: number,
    contract: Hex,
    { assets }: KnownChain,
    words: readonly Hex[],
    amountAt: number | null,
  ): DecodedCall {
    if (amountAt === null) throw new SigningRefused('function', 'the function is not one that operators call');
    const [reference, token] = words;
    const amount = words[amountAt];
    if (reference === undefined || token === undefined || amount === undefined) return wrong();
    const asset = assets.get(addressIn(token));
    if (asset === undefined) throw new SigningRefused('token', 'the token is not one of ours');
    return { chainId, contract, reference, asset, units: BigInt(amount) };
  }
}

/** `mint(ref, to)` of the certificates' contract. */
function certificateMint(chainId: number, contract: Hex, data: Hex, words: readonly Hex[]): DecodedCall {
  if (selectorIn(data) !== CERTIFICATE_SELECTORS.mint)
    throw new SigningRefused('function', 'the function is not one that operators call');
  const [reference, to] = words;
  if (words.length !== CERTIFICATE_MINT_WORDS || reference === undefined || to === undefined || !isAddressWord(to))
    return wrong();
  return { chainId, contract, reference, asset: 'certificate', units: 1n };
}

/** `sendNft(ref, salt, token, to, tokenId)` of the custody contract, for certificates alone. */
function certificateMovement(
  chainId: number,
  { custody: contract, certificates }: KnownChain,
  words: readonly Hex[],
): DecodedCall {
  const [reference, , token, to, certificate] = words;
  if (
    words.length !== SEND_NFT_WORDS ||
    reference === undefined ||
    token === undefined ||
    to === undefined ||
    certificate === undefined
  )
    return wrong();
  if (!isAddressWord(token) || !isAddressWord(to)) return wrong();
  if (addressIn(token) !== certificates) throw new SigningRefused('token', 'the token is not one of ours');
  return { chainId, contract, reference, asset: 'certificate', units: 1n };
}

/** An address, padded with zeros; not the zero address. */
const isAddressWord = (word: Hex): boolean => /^0x0{24}[0-9a-fA-F]{40}$/.test(word) && BigInt(word) !== 0n;

const isMint = (selector: string, words: readonly Hex[]): boolean =>
  (selector === SELECTORS.mint && words.length === MINT_WORDS) ||
  (selector === SELECTORS.mintShares && words.length === MINT_SHARES_WORDS);

/** Index of the amount in a call of the custody contract; null for any other function, or a list that is not ours. */
function custodyAmount(selector: string, words: readonly Hex[]): number | null {
  const form = CUSTODY_FORMS.get(selector);
  if (!form) return null;
  const [offset, length] = words.slice(form.arguments);
  if (offset === undefined || length === undefined) return null;
  const wallets = words.length - form.arguments - 2;
  const isOurs =
    BigInt(offset) === WORD_BYTES * BigInt(form.arguments + 1) &&
    BigInt(length) === BigInt(wallets) &&
    wallets >= 1 &&
    wallets <= MOST_WALLETS;
  return isOurs ? form.amount : null;
}
