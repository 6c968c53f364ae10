import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { encodeFunctionData, parseAbi, toFunctionSelector } from 'viem';
import type { Hex } from '../chain.port';
import { CUSTODY_ABI, MINTER_ABI } from './rpc/abi';
import { implementationOf } from './custody';
import { HOLDER, freshReference, signed, untilMined } from './chain-under-test.testing';
import { askNodeOne } from './local-anvil/json-rpc';
import { AnvilUnderTest } from './anvil-under-test.testing';

describe('the contracts on anvil', () => {
  const anvil = new AnvilUnderTest();

  it('let only operators mint, and only the custody contract burn', async () => {
    const {
      deployment: { minter, custody, tokens },
      url,
    } = anvil.base;
    const brlv = tokens['eth-base/brlv'] ?? minter;
    const { signer } = anvil.subject;
    const [operator, treasury, deployer] = await Promise.all(
      ['minter', 'treasury', 'deployer'].map((keyId) => signer.addressOf(keyId)),
    );
    const token = parseAbi(['function mint(address to, uint256 amount)', 'function burn(uint256 amount)']);
    const minting = (ref: Hex, amount: bigint) =>
      encodeFunctionData({ abi: MINTER_ABI, functionName: 'mint', args: [ref, brlv, HOLDER, amount] });
    const direct = encodeFunctionData({ abi: token, functionName: 'mint', args: [HOLDER, 1n] });
    const burning = encodeFunctionData({ abi: token, functionName: 'burn', args: [0n] });
    const call = (from: Hex | undefined, to: Hex, data: Hex) =>
      askNodeOne(url, 'eth_call', { from, to, data }, 'latest');
    const [ref, none] = [freshReference(), `0x${'0'.repeat(64)}` as const];
    const [unauthorized, empty, nothing] = [
      'AccessControlUnauthorizedAccount(address,bytes32)',
      'EmptyReference()',
      'NothingToMint()',
    ].map((error) => toFunctionSelector(error));
    await expect(call(operator, minter, minting(ref, 1n))).resolves.toBe('0x');
    await expect(call(custody, brlv, burning)).resolves.toBe('0x');
    for (const stranger of [HOLDER, treasury, deployer]) {
      await expect(call(stranger, minter, minting(ref, 1n))).rejects.toThrow(unauthorized);
    }
    for (const stranger of [HOLDER, operator, treasury, deployer]) {
      await expect(call(stranger, brlv, direct)).rejects.toThrow(unauthorized);
    }
    for (const stranger of [HOLDER, operator, treasury, deployer])
      await expect(call(stranger, brlv, burning)).rejects.toThrow(unauthorized);
    await expect(call(operator, minter, minting(none, 1n))).rejects.toThrow(empty);
    await expect(call(operator, minter, minting(ref, 0n))).rejects.toThrow(nothing);
  });

  it('let only operators move tokens of a wallet, and only through the custody contract', async () => {
    const {
      deployment: { custody, tokens },
      url,
      chain,
    } = anvil.base;
    const { signer } = anvil.subject;
    const [operator, treasury, deployer] = await Promise.all(
      ['minter', 'treasury', 'deployer'].map((keyId) => signer.addressOf(keyId)),
    );
    const salt = freshReference();
    const wallet = chain.walletAddress(salt);
    const mintToWallet = await signed(
      chain,
      signer,
      'minter',
      chain.mintCall({ reference: freshReference(), asset: 'eth-base/brlv', to: wallet, units: 9n }),
    );
    await chain.broadcast(mintToWallet.raw);
    await untilMined(chain, mintToWallet.hash);
    const brlv = tokens['eth-base/brlv'] ?? custody;
    const call = (from: Hex | undefined, to: Hex, data: Hex) =>
      askNodeOne(url, 'eth_call', { from, to, data }, 'latest');
    const sending = (ref: Hex, amount: bigint) =>
      encodeFunctionData({ abi: CUSTODY_ABI, functionName: 'sendToken', args: [ref, brlv, HOLDER, amount, [salt]] });
    const [none, unauthorized, empty, nothing, stranger] = [
      `0x${'0'.repeat(64)}` as const,
      ...[
        'AccessControlUnauthorizedAccount(address,bytes32)',
        'EmptyReference()',
        'NothingToMove()',
        'NotCustody(address)',
      ].map((error) => toFunctionSelector(error)),
    ] as const;
    await expect(call(operator, custody, sending(freshReference(), 9n))).resolves.toBe('0x');
    for (const from of [HOLDER, treasury, deployer])
      await expect(call(from, custody, sending(freshReference(), 9n))).rejects.toThrow(unauthorized);
    await expect(call(operator, custody, sending(none, 9n))).rejects.toThrow(empty);
    await expect(call(operator, custody, sending(freshReference(), 0n))).rejects.toThrow(nothing);
    const direct = encodeFunctionData({
      abi: parseAbi(['function sendToken(address token, address to, uint256 amount)']),
      args: [brlv, HOLDER, 1n],
    });
    for (const from of [HOLDER, operator, deployer])
      await expect(call(from, implementationOf(custody), direct)).rejects.toThrow(stranger);
  });

  it('accept a safe transfer of an ERC-721 token in the implementation of the wallets', async () => {
    const {
      deployment: { custody },
      url,
    } = anvil.base;
    const received = encodeFunctionData({
      abi: parseAbi(['function onERC721Received(address, address, uint256, bytes) returns (bytes4)']),
      args: [HOLDER, HOLDER, 1n, '0x'],
    });
    await expect(
      askNodeOne(url, 'eth_call', { to: implementationOf(custody), data: received }, 'latest'),
    ).resolves.toMatch(/^0x150b7a02/);
  });
});

it('the committed artefacts match the Solidity sources', () => {
  const script = resolve(__dirname, '../../../contracts/compile.mjs');
  expect(() => execFileSync(process.execPath, [script, '--check'], { stdio: 'pipe' })).not.toThrow();
});
