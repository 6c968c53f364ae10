import { Inject, Injectable } from '@nestjs/common';
import type { ClearExternalWallet } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import { Aggregates } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { isEvidenceFileId, isoTime, parseEvmAddress } from '@ponte/kernel';
import { CLOCK, MESSAGE_BUS } from '@ponte/nest';
import { evidenceFile, isUsable } from '../evidence-file/evidence-file.decider';
import type { WalletProofs } from '../wallet/wallet-proofs.port';
import { WALLET_PROOFS } from '../wallet/wallet-proofs.port';
import { findHouseWallets } from '../wallet/house-wallets';
import { WalletReservations } from '../wallet/wallet-reservations.service';
import type { FilesAndWallets } from '../request-rules/rule-inputs.domain';
import { walletAddresses } from '../request-rules/wallet-rules.domain';

/**
 * Reads the state of files and wallets for rules 3 to 12. Writes nothing, except that it frees reservations whose
 * holder has ended. With external wallets, it rejects with `Unavailable` if the movements service does not answer.
 */
@Injectable()
export class FilesAndWalletsReader {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly wallets: WalletReservations,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
    @Inject(WALLET_PROOFS) private readonly proofs: WalletProofs,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async read(
    parentId: string,
    fileIds: readonly string[],
    wallets: readonly ClearExternalWallet[],
    accountId: string | null,
    context: RequestContext,
  ): Promise<FilesAndWallets> {
    const addresses = walletAddresses(wallets);
    const [knownFiles, houseWallets, takenWallets, disprovenWallets] = await Promise.all([
      this.usable(parentId, fileIds),
      findHouseWallets(addresses, this.bus, context),
      this.taken(addresses, accountId, context),
      this.disproven(wallets),
    ]);
    return { nowMs: this.clock.now(), knownFiles, houseWallets, takenWallets, disprovenWallets };
  }

  /** Rule 11: the files that the parent may use. */
  async usable(parentId: string, fileIds: readonly string[]): Promise<ReadonlySet<string>> {
    const at = isoTime(this.clock.now());
    const kept = await Promise.all(
      [...new Set(fileIds)].filter(isEvidenceFileId).map(async (fileId) => {
        const { state } = await this.aggregates.load(evidenceFile, fileId);
        return isUsable(state, parentId, at) ? [fileId] : [];
      }),
    );
    return new Set(kept.flat());
  }

  /** A wallet does not conflict with its own account. */
  private async taken(
    addresses: readonly string[],
    accountId: string | null,
    context: RequestContext,
  ): Promise<ReadonlySet<string>> {
    const taken = await Promise.all(
      addresses.map(async (address) => ((await this.wallets.isTaken(address, accountId, context)) ? [address] : [])),
    );
    return new Set(taken.flat());
  }

  private async disproven(wallets: readonly ClearExternalWallet[]): Promise<ReadonlySet<string>> {
    const wrong = await Promise.all(
      wallets.map(async ({ address: text, proof }) => {
        const parsed = parseEvmAddress(text);
        return proof === null || !parsed.ok || (await this.proofs.isSignedBy(parsed.address, proof))
          ? []
          : [parsed.address];
      }),
    );
    return new Set(wrong.flat());
  }
}
