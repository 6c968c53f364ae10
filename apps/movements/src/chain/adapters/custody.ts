import { getContractAddress } from 'viem';
import type { Hex } from '../chain.port';

/** EIP-1167 creation code, as OpenZeppelin's Clones deploys it. The implementation's address goes in between. */
const PROXY_BEFORE = '3d602d80600a3d3981f3363d3d373d3d3d363d73';
const PROXY_AFTER = '5af43d82803e903d91602b57fd5bf3';

/**
 * Address of the implementation that every wallet delegates to. The custody contract creates it first, with nonce 1: a
 * contract's own nonce starts at 1 (EIP-161).
 */
export const implementationOf = (custody: Hex): Hex =>
  getContractAddress({ from: custody, nonce: 1n }).toLowerCase() as Hex;

/** The CREATE2 address of a wallet, lower-case, whether or not it is deployed. `salt` is 32 bytes. */
export function walletAddress(custody: Hex, salt: Hex): Hex {
  const bytecode: Hex = `0x${PROXY_BEFORE}${implementationOf(custody).slice(2)}${PROXY_AFTER}`;
  return getContractAddress({ opcode: 'CREATE2', from: custody, salt, bytecode }).toLowerCase() as Hex;
}
