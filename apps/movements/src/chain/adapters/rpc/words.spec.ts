import fc from 'fast-check';
import { decodeFunctionData, encodeFunctionData } from 'viem';
import type { Hex } from '../../chain.port';
import { MINTER_ABI, SELECTORS, TOKEN_ABI } from './abi';
import { mintCall, transferCall } from './calls';
import { simulatedDeployment } from '../simulated/simulated-deployment';
import { addressIn, callData, selectorIn, wordsIn } from './words';

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((raw): Hex => `0x${Buffer.from(raw).toString('hex')}`);
const uint = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
const deployment = simulatedDeployment('eth-base');

describe('the data of a call', () => {
  it('is what a general encoder makes of the same call', () => {
    fc.assert(
      fc.property(hex(32), hex(20), uint, uint, (reference, to, units, mostBacking) => {
        const token = deployment.tokens['eth-base/brlv'] as Hex;
        const vault = deployment.tokens['eth-base/wbrly'] as Hex;
        expect(mintCall(deployment, { reference, asset: 'eth-base/brlv', to, units }).data).toBe(
          encodeFunctionData({ abi: MINTER_ABI, functionName: 'mint', args: [reference, token, to, units] }),
        );
        expect(mintCall(deployment, { reference, asset: 'eth-base/wbrly', to, units, mostBacking }).data).toBe(
          encodeFunctionData({
            abi: MINTER_ABI,
            functionName: 'mintShares',
            args: [reference, vault, to, units, mostBacking],
          }),
        );
        expect(transferCall(deployment, { asset: 'eth-base/brlv', to, units }).data).toBe(
          encodeFunctionData({ abi: TOKEN_ABI, functionName: 'transfer', args: [to, units] }),
        );
      }),
      { numRuns: 200 },
    );
  });

  it('is read back as a general decoder reads it', () => {
    fc.assert(
      fc.property(hex(32), hex(20), uint, (reference, to, units) => {
        const { data } = mintCall(deployment, { reference, asset: 'eth-base/brlv', to, units });
        const [ref, token, receiver, amount] = decodeFunctionData({ abi: MINTER_ABI, data }).args as readonly [
          Hex,
          Hex,
          Hex,
          bigint,
        ];
        const words = wordsIn(data);
        expect(selectorIn(data)).toBe(SELECTORS.mint);
        expect([words[0], addressIn(words[1] as Hex), addressIn(words[2] as Hex), BigInt(words[3] as Hex)]).toEqual([
          ref,
          token.toLowerCase(),
          receiver.toLowerCase(),
          amount,
        ]);
      }),
      { numRuns: 100 },
    );
  });

  it.each([[-1n], [2n ** 256n], ['0x12' as Hex], ['0xzz' as Hex], [`0x${'0'.repeat(41)}` as Hex]])(
    'refuses %s, which is no argument',
    (word) => {
      expect(() => callData(SELECTORS.mint, [word])).toThrow();
    },
  );
});
