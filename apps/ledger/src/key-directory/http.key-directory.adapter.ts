import type { PixKey } from '@ponte/kernel';
import { parseTaxId } from '@ponte/kernel';
import { fieldsOf, textOrNull } from '../payouts/bank-answers.adapter';
import type { BankClient } from '../payouts/bank-client.adapter';
import { RailTimedOut } from '../pix-charge/pix-charges.port';
import type { KeyDirectory } from './key-directory.port';
import type { Payee } from '../person/payee.domain';

/** The bank's look-up of Pix keys: `GET /keys/{key}`, 404 if the key is not registered; see docs/ledger/banks.md. */
export class HttpKeyDirectory implements KeyDirectory {
  constructor(private readonly client: Pick<BankClient, 'call'>) {}

  async lookUp(key: PixKey): Promise<Payee | undefined> {
    const { status, body } = await this.client.call('lookUp', 'GET', `/keys/${encodeURIComponent(key.value)}`);
    if (status === 404) return undefined;
    const wire = fieldsOf(body);
    const taxId = parseTaxId(textOrNull(wire['taxId']) ?? '')?.value;
    const known = ['name', 'bankCode', 'branch', 'account'].map((name) => textOrNull(wire[name]));
    if (status !== 200 || taxId === undefined || known.includes(null)) throw new RailTimedOut('lookUp');
    const [legalName, bankCode, branchCode, accountNumber] = known;
    return { taxId, legalName, bankCode, branchCode, accountNumber } as Payee;
  }
}
