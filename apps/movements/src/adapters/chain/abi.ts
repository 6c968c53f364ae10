import { parseAbi, toFunctionSelector } from 'viem';

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

/** The functions that the service calls, by their first four bytes. */
export const SELECTORS = {
  mint: toFunctionSelector(MINTER_ABI[0]),
  mintShares: toFunctionSelector(MINTER_ABI[1]),
  minted: toFunctionSelector(MINTER_ABI[2]),
  transfer: toFunctionSelector(TOKEN_ABI[0]),
  sendToken: toFunctionSelector(CUSTODY_ABI[0]),
  redeemToken: toFunctionSelector(CUSTODY_ABI[1]),
  redeemShares: toFunctionSelector(CUSTODY_ABI[2]),
  moved: toFunctionSelector(CUSTODY_ABI[5]),
  balanceOf: toFunctionSelector(TOKEN_ABI[1]),
  totalSupply: toFunctionSelector(TOKEN_ABI[3]),
  convertToAssets: toFunctionSelector(VAULT_ABI[0]),
  previewMint: toFunctionSelector(VAULT_ABI[1]),
} as const;
