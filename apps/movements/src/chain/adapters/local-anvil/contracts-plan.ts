import { type AssetId, type Chain, assetOf } from '@ponte/kernel';
import { type Abi, encodeDeployData, getContractAddress } from 'viem';
import * as custodyArtifact from '../../../../contracts/artifacts/Custody.json';
import * as minterArtifact from '../../../../contracts/artifacts/Minter.json';
import * as tokenArtifact from '../../../../contracts/artifacts/PonteToken.json';
import * as vaultArtifact from '../../../../contracts/artifacts/PonteVault.json';
import * as stableArtifact from '../../../../contracts/artifacts/TestStable.json';
import { saltOf, treasuryWalletId } from '../../../wallet/wallet.decider';
import type { Hex } from '../../chain.port';
import { walletAddress } from '../custody';
import { type Deployment, issueOf, tokensOn } from '../deployment';

export interface Parties {
  /**
   * Deploys the contracts and administers their roles. Signs nothing else, so that the addresses of the contracts
   * follow from its nonces.
   */
  readonly deployer: Hex;
  /** May mint through the minter, and move the wallets of customers through the custody contract. */
  readonly operators: readonly Hex[];
  /** Issues the stand-ins for USDC and USDT. */
  readonly treasury: Hex;
}

interface ContractsPlan {
  readonly deployment: Deployment;
  /** What to deploy, in nonce order. */
  readonly creations: readonly Hex[];
}

/** The initial supply of each foreign token, in whole tokens, for the treasury's key and again for its wallet. */
const FOREIGN_SUPPLY = 1_000_000_000n;

/**
 * Plans the contracts of one chain. Their addresses follow from the deployer and its nonce, so constructors can refer
 * to contracts that are not deployed yet, and a chain that lost its state gets the same addresses again.
 */
export function planContracts(chain: Chain, parties: Parties, firstNonce: number): ContractsPlan {
  const shares = tokensOn(chain).filter((asset) => issueOf(asset) === 'share');
  const assets = [...tokensOn(chain).filter((asset) => !shares.includes(asset)), ...shares];
  const addressAt = (index: number): Hex =>
    getContractAddress({ from: parties.deployer, nonce: BigInt(firstNonce + index) }).toLowerCase() as Hex;
  const minter = addressAt(0);
  const tokens: Partial<Record<AssetId, Hex>> = Object.fromEntries(
    assets.map((asset, index) => [asset, addressAt(index + 1)]),
  );
  const custody = addressAt(assets.length + 1);
  const deployment: Deployment = { chain, minter, custody, tokens };
  const creations = [
    creationOf(minterArtifact, [parties.deployer, parties.operators]),
    ...assets.map((asset) => tokenCreation(asset, deployment, parties)),
    creationOf(custodyArtifact, [parties.deployer, parties.operators]),
  ];
  return { deployment, creations };
}

function tokenCreation(
  asset: AssetId,
  { chain, minter, custody, tokens }: Deployment,
  { deployer, treasury }: Parties,
): Hex {
  const { symbol, onChainDecimals = 18 } = assetOf(asset);
  const issue = issueOf(asset);
  switch (issue) {
    case 'minted':
      return creationOf(tokenArtifact, [`Ponte ${symbol}`, symbol, onChainDecimals, deployer, minter, custody]);
    case 'share':
      return creationOf(vaultArtifact, [tokens['eth-base/brly'], `Ponte ${symbol}`, symbol]);
    case 'foreign':
      return creationOf(stableArtifact, [
        `Test ${symbol}`,
        symbol,
        onChainDecimals,
        treasury,
        walletAddress(custody, saltOf(treasuryWalletId(chain))),
        FOREIGN_SUPPLY * 10n ** BigInt(onChainDecimals),
      ]);
  }
}

function creationOf(artifact: { readonly abi: unknown; readonly bytecode: string }, args: readonly unknown[]): Hex {
  return encodeDeployData({ abi: artifact.abi as Abi, bytecode: artifact.bytecode as Hex, args });
}
