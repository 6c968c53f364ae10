import fc from 'fast-check';
import { decodeFunctionData, encodeFunctionData } from 'viem';
import type { Hex } from '../../chain.port';
import { SimulatedChain } from '../simulated/simulated.chain.adapter';
import { simulatedDeployment } from '../simulated/simulated-deployment';
import { CUSTODY_ABI, MINTER_ABI, TOKEN_ABI, readCustodyCall, readMinterCall, readTokenCall } from './abi';

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((raw): Hex => `0x${Buffer.from(raw).toString('hex')}`);
const uint = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
const deployment = simulatedDeployment('eth-base');
const contracts = new SimulatedChain({ chain: 'eth-base', deployment });
const token = deployment.tokens['eth-base/brlv'] as Hex;
const vault = deployment.tokens['eth-base/wbrly'] as Hex;

describe('the data of a call', () => {
  it('equals the encoding of the same call with the whole ABI', () => {
    fc.assert(
      fc.property(hex(32), hex(20), uint, uint, (reference, to, units, maxBacking) => {
        expect(contracts.mintCall({ reference, asset: 'eth-base/brlv', to, units }).data).toBe(
          encodeFunctionData({ abi: MINTER_ABI, functionName: 'mint', args: [reference, token, to, units] }),
        );
        expect(contracts.mintCall({ reference, asset: 'eth-base/wbrly', to, units, maxBacking }).data).toBe(
          encodeFunctionData({
            abi: MINTER_ABI,
            functionName: 'mintShares',
            args: [reference, vault, to, units, maxBacking],
          }),
        );
        expect(contracts.transferCall({ asset: 'eth-base/brlv', to, units }).data).toBe(
          encodeFunctionData({ abi: TOKEN_ABI, functionName: 'transfer', args: [to, units] }),
        );
      }),
      { numRuns: 100 },
    );
  });

  it('is decoded to the same call', () => {
    fc.assert(
      fc.property(hex(32), hex(20), uint, fc.array(hex(32), { maxLength: 20 }), (reference, to, units, wallets) => {
        const mint = contracts.mintCall({ reference, asset: 'eth-base/brlv', to, units }).data;
        expect(readMinterCall(mint)).toEqual({ ...decodeFunctionData({ abi: MINTER_ABI, data: mint }), isExact: true });
        const send = contracts.sendTokenCall({ reference, asset: 'eth-base/brlv', to, units, wallets }).data;
        expect(readCustodyCall(send)).toEqual({
          ...decodeFunctionData({ abi: CUSTODY_ABI, data: send }),
          isExact: true,
        });
      }),
      { numRuns: 100 },
    );
  });

  it('is decoded as inexact with extra bytes, and not at all when truncated or of another function', () => {
    const to: Hex = `0x${'ab'.repeat(20)}`;
    const { data } = contracts.transferCall({ asset: 'eth-base/brlv', to, units: 1n });
    expect(readTokenCall(`${data}00`)).toMatchObject({ functionName: 'transfer', isExact: false });
    const padded = data.replace(`0000${'ab'.repeat(20)}`, `0001${'ab'.repeat(20)}`) as Hex;
    expect(readTokenCall(padded)).toMatchObject({ functionName: 'transfer', isExact: false });
    expect(readTokenCall(data.slice(0, -2) as Hex)).toBeNull();
    expect(readMinterCall(data)).toBeNull();
    expect(readTokenCall('0x')).toBeNull();
  });

  it.each([
    { units: -1n },
    { units: 2n ** 256n },
    { to: '0x12' as Hex },
    { to: '0xzz' as Hex },
    { to: `0x${'0'.repeat(41)}` as Hex },
    { reference: '0x12' as Hex },
  ])('cannot be encoded with the invalid argument %s', (wrong) => {
    const request = { reference: `0x${'1'.repeat(64)}`, asset: 'eth-base/brlv', to: token, units: 1n } as const;
    expect(() => contracts.mintCall({ ...request, ...wrong })).toThrow();
  });
});
