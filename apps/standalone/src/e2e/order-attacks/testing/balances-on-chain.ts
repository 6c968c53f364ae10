import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeAbiParameters, keccak256, toHex } from 'viem';
import { askNodeOne } from '../../../../../movements/src/chain/adapters/local-anvil/json-rpc';

/** The storage slot of `mapping(address => uint256) _balances`, the first variable of OpenZeppelin's ERC20. */
const BALANCES_SLOT = 0n;
/** The topic of the event `Transfer(address,address,uint256)`. */
const TRANSFER = keccak256(toHex('Transfer(address,address,uint256)'));
/** Bytecode that always reverts: PUSH1 0, PUSH1 0, REVERT. */
const REVERTING = '0x60006000fd';
const ADDRESS = /^0x0{24}/;

interface Receipt {
  readonly logs: readonly { readonly address: string; readonly topics: readonly string[] }[];
}

/** Changes token balances on eth-base directly in the node's storage, unnoticed by the programs that rely on them. */
export class BalancesOnChain {
  private constructor(
    private readonly url: string,
    private readonly tokens: Readonly<Record<string, string>>,
  ) {}

  static of(dataDirectory: string): BalancesOnChain {
    const read = <T>(name: string): T =>
      JSON.parse(readFileSync(join(dataDirectory, 'chains/eth-base', name), 'utf8')) as T;
    const { port } = read<{ port: number }>('process.json');
    return new BalancesOnChain(
      `http://127.0.0.1:${port}`,
      read<{ tokens: Record<string, string> }>('contracts.json').tokens,
    );
  }

  addressOf(asset: string): `0x${string}` {
    const address = this.tokens[asset];
    if (address === undefined) throw new Error(`the local chain has no ${asset}`);
    return address as `0x${string}`;
  }

  /** The address that paid the token in a transaction. */
  async payerIn(txHash: string, asset: string): Promise<string> {
    const { logs } = (await askNodeOne(this.url, 'eth_getTransactionReceipt', txHash)) as Receipt;
    const moved = logs.find(
      ({ address, topics }) => address.toLowerCase() === this.addressOf(asset).toLowerCase() && topics[0] === TRANSFER,
    );
    if (moved?.topics[1] === undefined) throw new Error(`${txHash} moves no ${asset}`);
    return moved.topics[1].replace(ADDRESS, '0x');
  }

  /** Runs `work` while the holder's balance is changed, then reverts the change. */
  async during<T>(asset: string, holder: string, change: (units: bigint) => bigint, work: () => Promise<T>) {
    const before = await this.read(asset, holder);
    const changed = change(before);
    await this.write(asset, holder, changed);
    try {
      return await work();
    } finally {
      await this.write(asset, holder, (await this.read(asset, holder)) + before - changed);
    }
  }

  /** Runs `work` while every call to the token's contract reverts. */
  async whileReverting<T>(asset: string, work: () => Promise<T>): Promise<T> {
    const token = this.addressOf(asset);
    const code = await askNodeOne(this.url, 'eth_getCode', token, 'latest');
    await askNodeOne(this.url, 'anvil_setCode', token, REVERTING);
    try {
      return await work();
    } finally {
      await askNodeOne(this.url, 'anvil_setCode', token, code);
    }
  }

  private async read(asset: string, holder: string): Promise<bigint> {
    return BigInt((await askNodeOne(this.url, 'eth_getStorageAt', ...this.place(asset, holder), 'latest')) as string);
  }

  private async write(asset: string, holder: string, units: bigint): Promise<void> {
    await askNodeOne(this.url, 'anvil_setStorageAt', ...this.place(asset, holder), toHex(units, { size: 32 }));
  }

  private place(asset: string, holder: string): readonly [string, string] {
    const key = encodeAbiParameters(
      [{ type: 'address' }, { type: 'uint256' }],
      [holder as `0x${string}`, BALANCES_SLOT],
    );
    return [this.addressOf(asset), keccak256(key)];
  }
}
