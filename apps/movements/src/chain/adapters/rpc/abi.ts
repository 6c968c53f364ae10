import type { Abi, AbiFunction } from 'viem';
import { getAbiItem, parseAbi, toFunctionSelector } from 'viem';
import type { Hex } from '../../chain.port';

/** The part of contracts/Minter.sol that the service uses; a test compares it with the compiled artefact. */
export const MINTER_ABI = parseAbi([
  'function mint(bytes32 ref, address token, address to, uint256 amount)',
  'function mintShares(bytes32 ref, address vault, address to, uint256 shares, uint256 most)',
  'function minted(bytes32 ref) view returns (bool)',
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
export const VAULT_ABI = parseAbi([
  'function convertToAssets(uint256 shares) view returns (uint256)',
  'function previewMint(uint256 shares) view returns (uint256)',
]);

/** The first four bytes of a call of this function. Looked up by name, so that the order of an ABI means nothing. */
export const selectorOf = (abi: Abi, name: string): Hex => toFunctionSelector(getAbiItem({ abi, name }) as AbiFunction);

/** The functions that the service calls, by their first four bytes. */
export const SELECTORS = {
  mint: selectorOf(MINTER_ABI, 'mint'),
  mintShares: selectorOf(MINTER_ABI, 'mintShares'),
  minted: selectorOf(MINTER_ABI, 'minted'),
  transfer: selectorOf(TOKEN_ABI, 'transfer'),
  sendToken: selectorOf(CUSTODY_ABI, 'sendToken'),
  redeemToken: selectorOf(CUSTODY_ABI, 'redeemToken'),
  redeemShares: selectorOf(CUSTODY_ABI, 'redeemShares'),
  moved: selectorOf(CUSTODY_ABI, 'moved'),
  balanceOf: selectorOf(TOKEN_ABI, 'balanceOf'),
  totalSupply: selectorOf(TOKEN_ABI, 'totalSupply'),
  convertToAssets: selectorOf(VAULT_ABI, 'convertToAssets'),
  previewMint: selectorOf(VAULT_ABI, 'previewMint'),
} as const;
