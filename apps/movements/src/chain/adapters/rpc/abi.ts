import type { Abi, DecodeFunctionDataReturnType } from 'viem';
import {
  BaseError,
  decodeAbiParameters,
  encodeAbiParameters,
  keccak256,
  parseAbi,
  prepareEncodeFunctionData,
  toFunctionSelector,
  toHex,
} from 'viem';
import type { Hex } from '../../chain.port';

/** The part of contracts/Minter.sol that the service uses; a test compares it with the compiled artefact. */
export const MINTER_ABI = parseAbi([
  'function mint(bytes32 ref, address token, address to, uint256 amount)',
  'function mintShares(bytes32 ref, address vault, address to, uint256 shares, uint256 most)',
  'function minted(bytes32 ref) view returns (bool)',
  'function hasRole(bytes32 role, address account) view returns (bool)',
  'event Minted(bytes32 indexed ref, address indexed token, address indexed to, uint256 amount)',
  'error ReferenceAlreadyMinted(bytes32 ref)',
]);

/** The part of contracts/Custody.sol that the service uses; a test compares it with the compiled artefact. */
export const CUSTODY_ABI = parseAbi([
  'function sendToken(bytes32 ref, address token, address to, uint256 amount, bytes32[] salts)',
  'function redeemToken(bytes32 ref, address token, uint256 amount, bytes32[] salts)',
  'function redeemShares(bytes32 ref, address vault, uint256 shares, uint256 least, bytes32[] salts)',
  'function sendNft(bytes32 ref, bytes32 salt, address token, address to, uint256 tokenId)',
  'function walletAt(bytes32 salt) view returns (address)',
  'function moved(bytes32 ref) view returns (bool)',
  'function hasRole(bytes32 role, address account) view returns (bool)',
  'event TokenMoved(bytes32 indexed ref, address indexed token, address indexed to, uint256 amount)',
  'event NftMoved(bytes32 indexed ref, address indexed token, address indexed to, uint256 tokenId)',
  'error ReferenceAlreadyMoved(bytes32 ref)',
  'event Redeemed(bytes32 indexed ref, address indexed token, uint256 amount, uint256 burned)',
  'error WalletsHoldTooLittle(uint256 missing)',
  'error SharesBringTooLittle(uint256 proceeds, uint256 least)',
]);

/** The part of ERC-20 that the service uses. */
export const TOKEN_ABI = parseAbi([
  'function transfer(address to, uint256 value) returns (bool)',
  'function balanceOf(address account) view returns (uint256)',
  'function decimals() view returns (uint8)',
  'function totalSupply() view returns (uint256)',
]);

/** The part of ERC-4626 that the service uses. */
const VAULT_ABI = parseAbi([
  'function convertToAssets(uint256 shares) view returns (uint256)',
  'function previewMint(uint256 shares) view returns (uint256)',
]);

/** The part of contracts/RewardCertificate.sol that the service uses; a test compares it with the compiled artefact. */
export const CERTIFICATE_ABI = parseAbi([
  'function mint(bytes32 ref, address to)',
  'function minted(bytes32 ref) view returns (bool)',
  'function ownerOf(uint256 tokenId) view returns (address)',
  'function hasRole(bytes32 role, address account) view returns (bool)',
  'event Minted(bytes32 indexed ref, address indexed to)',
  'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
  'error ReferenceAlreadyMinted(bytes32 ref)',
  'error ERC721InvalidReceiver(address receiver)',
  'error ERC721IncorrectOwner(address sender, uint256 tokenId, address owner)',
  'error ERC721InsufficientApproval(address operator, uint256 tokenId)',
  'error ERC721NonexistentToken(uint256 tokenId)',
]);

/** The role in each of these contracts that lets an address call their functions. */
export const OPERATOR_ROLE = keccak256(toHex('OPERATOR_ROLE'));

/** The functions that the service calls. Their selectors are computed once, because that takes longer than encoding. */
export const CALLS = {
  mint: prepareEncodeFunctionData({ abi: MINTER_ABI, functionName: 'mint' }),
  mintShares: prepareEncodeFunctionData({ abi: MINTER_ABI, functionName: 'mintShares' }),
  sendToken: prepareEncodeFunctionData({ abi: CUSTODY_ABI, functionName: 'sendToken' }),
  redeemToken: prepareEncodeFunctionData({ abi: CUSTODY_ABI, functionName: 'redeemToken' }),
  redeemShares: prepareEncodeFunctionData({ abi: CUSTODY_ABI, functionName: 'redeemShares' }),
  sendNft: prepareEncodeFunctionData({ abi: CUSTODY_ABI, functionName: 'sendNft' }),
  mintCertificate: prepareEncodeFunctionData({ abi: CERTIFICATE_ABI, functionName: 'mint' }),
  transfer: prepareEncodeFunctionData({ abi: TOKEN_ABI, functionName: 'transfer' }),
  minted: prepareEncodeFunctionData({ abi: MINTER_ABI, functionName: 'minted' }),
  moved: prepareEncodeFunctionData({ abi: CUSTODY_ABI, functionName: 'moved' }),
  // The same function in all three contracts.
  hasRole: prepareEncodeFunctionData({ abi: MINTER_ABI, functionName: 'hasRole' }),
  balanceOf: prepareEncodeFunctionData({ abi: TOKEN_ABI, functionName: 'balanceOf' }),
  totalSupply: prepareEncodeFunctionData({ abi: TOKEN_ABI, functionName: 'totalSupply' }),
  convertToAssets: prepareEncodeFunctionData({ abi: VAULT_ABI, functionName: 'convertToAssets' }),
  previewMint: prepareEncodeFunctionData({ abi: VAULT_ABI, functionName: 'previewMint' }),
} as const;

/** Characters of `0x` and a 4-byte selector. */
const SELECTOR_LENGTH = 10;

/** A decoded call. `isExact` means that encoding it again gives the same data, so the data contains nothing else. */
type ReadCall<abi extends Abi> = DecodeFunctionDataReturnType<abi> & { readonly isExact: boolean };

/** Decodes calls of the ABI's functions; null for any other function and for malformed arguments. */
function callReader<const abi extends Abi>(abi: abi): (data: Hex) => ReadCall<abi> | null {
  const functions = new Map(
    abi.flatMap((item) => (item.type === 'function' ? [[toFunctionSelector(item), item] as const] : [])),
  );
  return (data) => {
    const called = functions.get(data.slice(0, SELECTOR_LENGTH) as Hex);
    if (!called) return null;
    const encoded: Hex = `0x${data.slice(SELECTOR_LENGTH)}`;
    try {
      const args = decodeAbiParameters(called.inputs, encoded);
      const isExact = encodeAbiParameters(called.inputs, args) === encoded;
      return { functionName: called.name, args, isExact } as unknown as ReadCall<abi>;
    } catch (error) {
      if (error instanceof BaseError) return null;
      throw error;
    }
  };
}

export const readMinterCall = callReader(MINTER_ABI);
export const readCustodyCall = callReader(CUSTODY_ABI);
export const readCertificateCall = callReader(CERTIFICATE_ABI);
export const readTokenCall = callReader(TOKEN_ABI);

/** The form in which addresses are stored and compared. */
export const lowerCase = (address: Hex): Hex => address.toLowerCase() as Hex;
