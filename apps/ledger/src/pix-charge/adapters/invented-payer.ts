import { createHash } from 'node:crypto';
import type { Payer } from '../pix-charges.port';

const GIVEN_NAMES = [
  'Ana',
  'Bruno',
  'Clara',
  'Davi',
  'Elisa',
  'Fábio',
  'Gabriela',
  'Heitor',
  'Iara',
  'Jonas',
  'Karina',
  'Lucas',
  'Marina',
  'Nélson',
  'Olívia',
  'Paulo',
];
const FAMILY_NAMES = [
  'Almeida',
  'Barros',
  'Cardoso',
  'Duarte',
  'Esteves',
  'Farias',
  'Gouveia',
  'Holanda',
  'Iglesias',
  'Junqueira',
  'Lacerda',
  'Moraes',
  'Nogueira',
  'Peixoto',
  'Queiroz',
  'Rangel',
];
const BANKS = ['00000000', '00360305', '60701190', '60746948', '90400888', '18236120'];
const CPF_LENGTH = 11;

/** Invents a payer, always the same for the same tax id. The name is invented unless it is given. */
export function inventPayer(taxId: string, legalName: string | null): Payer {
  const bytes = createHash('sha256').update(`payer:${taxId}`).digest();
  const pick = <T>(from: readonly T[], at: number): T => from[bytes.readUInt8(at) % from.length] as T;
  const family = pick(FAMILY_NAMES, 1);
  const invented = taxId.length === CPF_LENGTH ? `${pick(GIVEN_NAMES, 0)} ${family}` : `${family} Comércio Ltda`;
  return {
    taxId,
    legalName: legalName ?? invented,
    bankCode: pick(BANKS, 2),
    branchCode: String(bytes.readUInt16BE(3) % 10_000).padStart(4, '0'),
    accountNumber: `${String(bytes.readUInt32BE(5) % 100_000_000).padStart(8, '0')}-${bytes.readUInt8(9) % 10}`,
    accountType: pick(['checking', 'savings', 'payment'], 10),
  };
}
