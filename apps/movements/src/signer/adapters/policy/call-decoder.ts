import type { AssetId } from '@ponte/kernel';
import { chainIdOf } from '@ponte/kernel';
import { zeroAddress } from 'viem';
import { lowerCase, readCertificateCall, readCustodyCall, readMinterCall } from '../../../chain/adapters/rpc/abi';
import type { Deployment } from '../../../chain/adapters/deployment';
import type { Hex } from '../../../chain/chain.port';
import type { SigningIntent } from '../../signer.port';
import type { DecodedCall } from '../../../signer-policy/signing-policy';
import { SigningRefused } from '../../../signer-policy/signing-policy';

/** The maximum number of wallets of an account on a chain. */
const MAX_WALLETS = 20;

const refused = (): SigningRefused => new SigningRefused('function', 'the call is not one that operators make');

interface KnownChain {
  readonly minter: Hex;
  readonly custody: Hex;
  readonly certificates: Hex | undefined;
  readonly assets: ReadonlyMap<Hex, AssetId>;
}

/**
 * Decodes calls as our contracts would. Throws {@link SigningRefused} for every call that is not one of the few that we
 * make.
 */
export class CallDecoder {
  private readonly chains: ReadonlyMap<number, KnownChain>;

  constructor(deployments: readonly Deployment[]) {
    this.chains = new Map(
      deployments.map(({ chain, minter, custody, certificates, tokens }) => [
        chainIdOf(chain),
        {
          minter,
          custody,
          certificates,
          assets: new Map(Object.entries(tokens).map(([asset, address]) => [address, asset as AssetId])),
        },
      ]),
    );
  }

  /** Whether the transaction does nothing except use a nonce of its sender: no coins and no call, to itself. */
  fillsNonce({ chainId, to, data = '0x', value = 0n }: SigningIntent, sender: Hex): boolean {
    return this.chains.has(chainId) && to?.toLowerCase() === sender && data === '0x' && value === 0n;
  }

  decode({ chainId, to, data = '0x', value = 0n }: SigningIntent): DecodedCall {
    const chain = this.chains.get(chainId);
    if (!chain) throw new SigningRefused('chain', 'the chain is not one of ours');
    if (value !== 0n) throw new SigningRefused('value', 'our calls send no coins');
    if (to === undefined) throw new SigningRefused('contract', 'operators deploy no contracts');
    const contract = to.toLowerCase() as Hex;
    switch (contract) {
      case chain.minter: {
        const call = readMinterCall(data);
        if (!call?.isExact || (call.functionName !== 'mint' && call.functionName !== 'mintShares')) throw refused();
        const [reference, token, , units] = call.args;
        return { chainId, contract, reference, asset: assetOf(chain, token), units };
      }
      case chain.certificates: {
        const call = readCertificateCall(data);
        if (!call?.isExact || call.functionName !== 'mint') throw refused();
        const [reference, receiver] = call.args;
        if (receiver === zeroAddress) throw refused();
        return { chainId, contract, reference, asset: 'certificate', units: 1n };
      }
      case chain.custody:
        return { chainId, contract, ...custodyCall(chain, data) };
      default:
        throw new SigningRefused('contract', 'the contract is not one that operators call');
    }
  }
}

/** A call of the custody contract, which moves tokens or a certificate. */
function custodyCall(chain: KnownChain, data: Hex): Pick<DecodedCall, 'reference' | 'asset' | 'units'> {
  const call = readCustodyCall(data);
  if (!call?.isExact) throw refused();
  switch (call.functionName) {
    case 'sendNft': {
      const [reference, , token, to] = call.args;
      if (to === zeroAddress) throw refused();
      if (lowerCase(token) !== chain.certificates) throw new SigningRefused('token', NOT_OURS);
      return { reference, asset: 'certificate', units: 1n };
    }
    case 'sendToken': {
      const [reference, token, , units, wallets] = call.args;
      return { reference, units, asset: assetOfWallets(chain, token, wallets) };
    }
    case 'redeemToken': {
      const [reference, token, units, wallets] = call.args;
      return { reference, units, asset: assetOfWallets(chain, token, wallets) };
    }
    case 'redeemShares': {
      const [reference, token, units, , wallets] = call.args;
      return { reference, units, asset: assetOfWallets(chain, token, wallets) };
    }
    default:
      throw refused();
  }
}

function assetOf({ assets }: KnownChain, token: Hex): AssetId {
  const asset = assets.get(lowerCase(token));
  if (asset === undefined) throw new SigningRefused('token', NOT_OURS);
  return asset;
}

/** The asset of a call that takes tokens from a list of wallets. */
function assetOfWallets(chain: KnownChain, token: Hex, wallets: readonly Hex[]): AssetId {
  if (wallets.length < 1 || wallets.length > MAX_WALLETS) throw refused();
  return assetOf(chain, token);
}

const NOT_OURS = 'the token is not one of ours';
