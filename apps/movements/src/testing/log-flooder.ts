import { derivedId } from '@ponte/kernel';
import { encodeFunctionData } from 'viem';
import { CALLS } from '../chain/adapters/rpc/abi';
import type { Hex } from '../chain/chain.port';
import { OUTSIDER } from '../deposit-simulation/anvil.outside-sender.adapter';
import type { DepositsOnAnvil } from './deposits-on-anvil';

const FLOODER: Hex = `0x${'f100d0'.padStart(40, '0')}`;
/**
 * Repeats the call of a contract, and then writes empty logs. Its call data: the contract, the number of calls, the
 * number of logs (32 bytes each, both at least 1), and the data of the call.
 */
const CODE = [
  '60603603', // size of the call's data
  '8060605f37', // copies it to memory
  '602035', // calls that are left
  '5b5f5f835f5f5f355af1506001900380600c57', // makes one
  '604035', // logs that are left
  '5b5f5fa06001900380602257', // writes one
  '00',
].join('');
const word = (value: bigint | number): string => value.toString(16).padStart(64, '0');

/** A contract of an outsider, whose transactions have far more logs than those of a wallet. */
export class LogFlooder {
  private constructor(
    private readonly anvil: DepositsOnAnvil,
    private readonly token: Hex,
  ) {}

  /** Has `units` of the token. */
  static async deploy(anvil: DepositsOnAnvil, units: bigint): Promise<LogFlooder> {
    const token = anvil.evm.deployment.tokens['eth-base/usdc'] as Hex;
    await anvil.ask('anvil_setCode', FLOODER, `0x${CODE}`);
    await anvil.outsider.send({
      id: derivedId('transfer', 'flooder'),
      asset: 'eth-base/usdc',
      to: FLOODER,
      units,
      fate: 'transfer',
    });
    return new LogFlooder(anvil, token);
  }

  /** Mines a transaction that transfers one unit to the wallet `transfers` times, and writes `logs` more logs. */
  async send(to: Hex, { transfers = 1, logs = 1 }): Promise<void> {
    const call = encodeFunctionData({ ...CALLS.transfer, args: [to, 1n] });
    const data = `0x${word(BigInt(this.token))}${word(transfers)}${word(logs)}${call.slice(2)}`;
    await this.anvil.ask('eth_sendTransaction', { from: OUTSIDER, to: FLOODER, data, gas: '0xffffff' });
    await this.anvil.ask('evm_mine');
  }
}
