import { eventually } from '@ponte/testing';
import { encodeFunctionData, parseAbi, toFunctionSelector } from 'viem';
import { CERTIFICATE_ABI } from '../chain/adapters/rpc/abi';
import { askNode, askNodeOne } from '../chain/adapters/local-anvil/json-rpc';
import type { CertificatesUnderTest } from '../testing/certificates-under-test';
import { OTHER, OWNER, uuid } from '../testing/certificates-under-test';
import type { RpcProxy } from '../testing/rpc-proxy';
import { referenceOf } from '../token-movement/chain-values.domain';
import type { Hex } from '../chain/chain.port';
import { operatorKeyIds } from '../movements-settings.port';
import { CertificatesOnAnvil } from '../testing/certificates-on-anvil';

const OUTSIDE: Hex = `0x${'cd'.repeat(20)}`;
/** A call of a wallet that only the custody contract may make. */
const DIRECT = encodeFunctionData({
  abi: parseAbi(['function sendToken(address token, address to, uint256 amount)']),
  args: [OUTSIDE, OUTSIDE, 1n],
});

let onAnvil: CertificatesOnAnvil;
let movements: CertificatesUnderTest;
let proxy: RpcProxy;
let url: string;
let contract: Hex;

const codeAt = (address: string): Promise<unknown> => askNodeOne(url, 'eth_getCode', address, 'latest');
const operator = (): Promise<Hex> => onAnvil.keystore.addressOf(operatorKeyIds(1)[0] ?? '');

beforeAll(async () => {
  onAnvil = await CertificatesOnAnvil.start();
  ({ movements, proxy, url, contract } = onAnvil);
});
afterAll(() => onAnvil.stop());

afterEach(() => {
  proxy.rules = [];
  movements.statuses.set(OWNER, 'active').set(OTHER, 'active');
});

const ownerOf = (id: string) => movements.evm.certificates.ownerOf(referenceOf(id));

describe('a reward certificate on a real chain', () => {
  it('is minted once to a wallet of the account, with its id as the token id', async () => {
    const certificate = await movements.minted();
    expect(certificate).toMatchObject({
      accountId: OWNER,
      amount: `100.${'0'.repeat(18)}`,
      rewardTier: 90,
      status: 'active',
    });
    expect(await ownerOf(certificate.id)).toBe(certificate.walletAddress);
    expect(await movements.listed(OWNER)).toContain(`${certificate.id} active ${certificate.walletAddress}`);
    const again = encodeFunctionData({
      abi: CERTIFICATE_ABI,
      functionName: 'mint',
      args: [referenceOf(certificate.id), OUTSIDE],
    });
    const [{ from }] = movements.ofType('TransactionIntended').map(({ data }) => data as { from: Hex }) as [
      { from: Hex },
    ];
    await expect(askNodeOne(url, 'eth_call', { from, to: contract, data: again }, 'latest')).rejects.toThrow();
    const strange = encodeFunctionData({
      abi: CERTIFICATE_ABI,
      functionName: 'mint',
      args: [referenceOf(uuid()), OUTSIDE],
    });
    await expect(
      askNodeOne(url, 'eth_call', { from: OUTSIDE, to: contract, data: strange }, 'latest'),
    ).rejects.toThrow();
    await expect(askNodeOne(url, 'eth_call', { from, to: contract, data: strange }, 'latest')).resolves.toBe('0x');
  });

  it('can move to an address outside our custody, and then none of our accounts holds it', async () => {
    const certificate = await movements.minted();
    const created = await movements.transfer(certificate, OUTSIDE.toUpperCase().replace('0X', '0x'), {
      externalId: 'outside',
    });
    expect(created).toMatchObject({ state: 'created', txHash: null, targetAddress: OUTSIDE, externalId: 'outside' });
    const transfer = await movements.ended(created.id);
    expect(transfer).toMatchObject({ state: 'completed', txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
    expect(await ownerOf(certificate.id)).toBe(OUTSIDE);
    expect(await movements.listed(OWNER, 'transferred')).toContain(
      `${certificate.id} transferred ${certificate.walletAddress}`,
    );
    await expect(movements.transfer(certificate, OUTSIDE)).rejects.toMatchObject({ code: 'certificate-not-owned' });
  });

  it('can move to the contract wallet of another account, and back to the deployed wallet of the first one', async () => {
    const certificate = await movements.minted();
    const target = await movements.wallet(OTHER);
    await movements.ended((await movements.transfer(certificate, target)).id);
    expect(await ownerOf(certificate.id)).toBe(target);
    expect([
      (await movements.listed(OWNER, 'transferred')).some((one) => one.startsWith(certificate.id)),
      await movements.listed(OTHER),
    ]).toEqual([true, [`${certificate.id} active ${target}`]]);
    // The wallet has received the token, but moved nothing yet.
    expect(await codeAt(target)).toBe('0x');
    const back = await movements.transfer(certificate, certificate.walletAddress, {
      accountId: OTHER,
      sourceAddress: target,
    });
    expect(await movements.ended(back.id)).toMatchObject({ state: 'completed', accountId: OTHER });
    // A minimal proxy (EIP-1167), deployed with the first movement out of it. It accepts calls only from custody.
    for (const wallet of [target, certificate.walletAddress]) {
      expect(await codeAt(wallet)).toMatch(/^0x363d3d373d3d3d363d73[0-9a-f]{40}5af43d82803e903d91602b57fd5bf3$/);
      for (const from of [OUTSIDE, await operator()])
        await expect(askNodeOne(url, 'eth_call', { from, to: wallet, data: DIRECT }, 'latest')).rejects.toThrow(
          toFunctionSelector('NotCustody(address)'),
        );
    }
    expect(await ownerOf(certificate.id)).toBe(certificate.walletAddress);
    expect((await movements.listed(OWNER)).filter((one) => one.startsWith(certificate.id))).toEqual([
      `${certificate.id} active ${certificate.walletAddress}`,
    ]);
    expect(await movements.listed(OTHER)).toEqual([`${certificate.id} transferred ${target}`]);
  });

  it('stays when the target contract refuses it: the transfer fails at finality and the certificate is active', async () => {
    const refusing: Hex = `0x${'ef'.repeat(20)}`;
    await askNodeOne(url, 'anvil_setCode', refusing, '0x60006000fd');
    const certificate = await movements.minted();
    const { id } = await movements.transfer(certificate, refusing);
    expect(await movements.ended(id)).toMatchObject({
      state: 'failed',
      failure: { code: 'target-refused', retryable: false },
    });
    await movements.standing(certificate.id, 'active');
    expect(await ownerOf(certificate.id)).toBe(certificate.walletAddress);
    expect(await movements.ended((await movements.transfer(certificate, OUTSIDE)).id)).toMatchObject({
      state: 'completed',
    });
  });

  it('stays when the target contract refuses it with an error that is one of our own contract: the transfer fails', async () => {
    const posing: Hex = `0x${'ee'.repeat(20)}`;
    const selector = toFunctionSelector('ReferenceAlreadyMoved(bytes32)');
    // PUSH4 selector, SHL by 224, MSTORE at 0, REVERT with the selector and a reference of zero.
    await askNodeOne(url, 'anvil_setCode', posing, `0x63${selector.slice(2)}60e01b60005260246000fd`);
    const certificate = await movements.minted();
    // Calls are repeated to find out why one was reverted. Archive nodes always can; anvil soon forgets the state.
    proxy.rules = [
      ({ method, params }) =>
        method === 'eth_call' && (params[0] as { from?: Hex }).from !== undefined
          ? { error: { code: 3, message: 'execution reverted', data: `${selector}${'0'.repeat(64)}` } }
          : undefined,
    ];
    const { id } = await movements.transfer(certificate, posing);
    expect(await movements.ended(id)).toMatchObject({ state: 'failed', failure: { code: 'transfer-reverted' } });
    await movements.standing(certificate.id, 'active');
    expect(await ownerOf(certificate.id)).toBe(certificate.walletAddress);
  });

  it('is not transferred from a wallet that does not hold it on the chain', async () => {
    const second = await movements.minted();
    await askNode(url, [
      { method: 'anvil_impersonateAccount', params: [second.walletAddress] },
      { method: 'anvil_setBalance', params: [second.walletAddress, '0xde0b6b3a7640000'] },
    ]);
    const data = encodeFunctionData({
      abi: parseAbi(['function transferFrom(address from, address to, uint256 id)']),
      args: [second.walletAddress as Hex, OUTSIDE, BigInt(referenceOf(second.id))],
    });
    await askNode(url, [
      { method: 'eth_sendTransaction', params: [{ from: second.walletAddress, to: contract, data }] },
      { method: 'evm_mine' },
    ]);
    await eventually(async () => expect(await ownerOf(second.id)).toBe(OUTSIDE));
    await expect(movements.transfer(second, await movements.wallet(OTHER))).rejects.toMatchObject({
      code: 'certificate-not-owned',
    });
    await movements.standing(second.id, 'active');
  });
});
