import type { Violation } from '@ponte/kernel';
import { evmAddressViolations, parseEvmAddress, violation } from '@ponte/kernel';
import { countryViolations } from './person-rules.domain';
import type { ClearExternalWallet } from '@ponte/contracts';
import type { FilesAndWallets } from './rule-inputs.domain';

/** Rule 12. A wallet that was sent as a plain address has its paths in the form of an object, as everywhere. */
export function walletViolations(
  wallets: readonly ClearExternalWallet[],
  filesAndWallets: Pick<FilesAndWallets, 'houseWallets' | 'takenWallets' | 'disprovenWallets'>,
): Violation[] {
  const seen = new Set<string>();
  return wallets.flatMap(({ address: text, custodyCountry }, at) => {
    const path = `external-wallets[${at}]`;
    const country = custodyCountry === null ? [] : countryViolations(custodyCountry, `${path}.custody-country`);
    const parsed = parseEvmAddress(text);
    if (!parsed.ok) return [...evmAddressViolations(text, `${path}.address`), ...country];
    const { address } = parsed;
    const loss = filesAndWallets.houseWallets.get(address);
    const repeated = seen.has(address);
    seen.add(address);
    return [
      ...(loss === undefined ? [] : [violation('invalid-address', `${path}.address`, loss)]),
      ...(repeated
        ? [violation('duplicate-external-wallet', path, 'each address must occur only once in the list')]
        : []),
      ...(filesAndWallets.takenWallets.has(address)
        ? [violation('external-wallet-already-registered', path, 'the address is registered to another account')]
        : []),
      ...(filesAndWallets.disprovenWallets.has(address)
        ? [violation('invalid-wallet-proof', `${path}.proof`, 'must be a signature of the message by this address')]
        : []),
      ...country,
    ];
  });
}

/** The valid addresses, each once, in lower case. */
export const walletAddresses = (wallets: readonly ClearExternalWallet[]): string[] => [
  ...new Set(
    wallets.flatMap(({ address }) => {
      const parsed = parseEvmAddress(address);
      return parsed.ok ? [parsed.address] : [];
    }),
  ),
];
