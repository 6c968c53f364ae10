import type { AddressHit } from '@ponte/contracts';
import type { ListInUse } from '@ponte/observability';
import type { ListSource } from '@ponte/screening-lists';
import { LocalList, fileList } from '@ponte/screening-lists';
import type { AddressScreening } from '../address-screening.port';
import type { HitsByAddress, OfacLimits, OfacList } from './ofac-list';
import { LIST, ofacReader } from './ofac-list';
import { SANDBOX_HITS } from './sandbox-addresses';

/** OFAC's list has about 25 megabytes; a larger file than this is not that list. */
const MAX_BYTES = 128 * 2 ** 20;
/** OFAC's list has some thousand. So many take about 30 MB, and twice as much while another list replaces them. */
const LIMITS: OfacLimits = { addresses: 50_000 };

/** A list in OFAC's format read from a file, or the magic address of the sandbox. */
export class LocalAddressScreening implements AddressScreening {
  private constructor(
    private readonly builtIn: HitsByAddress,
    private readonly list: LocalList<OfacList, OfacLimits> | null = null,
  ) {}

  /** Rejects if the file cannot be read or is not such a list, so that no process starts without a list. */
  static async open(file: string): Promise<LocalAddressScreening> {
    return LocalAddressScreening.of(fileList(LIST, file, MAX_BYTES));
  }

  /** Like {@link open}, of a list that may be anywhere. */
  static async of(source: ListSource): Promise<LocalAddressScreening> {
    const list = new LocalList(source, ofacReader);
    await list.refresh(LIMITS);
    return new LocalAddressScreening(new Map(), list);
  }

  /** Contains only the magic address of the sandbox. */
  static sandbox(): LocalAddressScreening {
    return new LocalAddressScreening(SANDBOX_HITS);
  }

  /** Contains no address: for an installation that accepts no token withdrawals. */
  static none(): LocalAddressScreening {
    return new LocalAddressScreening(new Map());
  }

  screen(address: string): readonly AddressHit[] {
    return (this.list?.current.content.hits ?? this.builtIn).get(address.toLowerCase()) ?? [];
  }

  /**
   * Reads the file again if its content has changed. Rejects for as long as the list cannot be used, is older than the
   * one in force, or lost more than half of its addresses; the previous list then stays in force, and the refused
   * content is not read again.
   *
   * @returns whether a new list is in force
   */
  async refresh(): Promise<boolean> {
    if (!this.list) return false;
    const isChanged = await this.list.refresh(LIMITS);
    if (this.list.refusal !== undefined) throw this.list.refusal;
    return isChanged;
  }

  inUse(): readonly ListInUse[] {
    if (!this.list) return [];
    const { current, refusal } = this.list;
    return [
      {
        name: LIST,
        entries: current.content.hits.size,
        writtenAt: current.state.writtenAt,
        isRefused: refusal !== undefined,
      },
    ];
  }
}
