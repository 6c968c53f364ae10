import type { ServiceName } from '@ponte/contracts';
import { SERVICE_CATEGORIES, SERVICES } from '@ponte/contracts';
import { relayName } from '@ponte/bus-kafka';
import type { TimeReader } from '@ponte/operator';
import { OWN_WALLETS_READER } from '../../onboarding/src/wallet/own-wallets.service';
import { BANK_READERS } from '../../ledger/src/bank-readers';
import { DEPOSIT_SCANS } from '../../movements/src/token-deposits/deposit-scans';
import { LOG_READERS } from '../../webhooks/src/log-readers';
import { READ_MODELS_OF } from '../src/cluster.read-models';

/** The services that a verb addresses: named ones, or those that have parked the event or key `whoParked`. */
type Addressee = { readonly services: readonly ServiceName[] } | { readonly whoParked: string };

/** An operator's command line, with the `--service` flag taken out. */
export interface Line {
  readonly service: ServiceName | undefined;
  readonly words: readonly string[];
}

const FLAG = '--service';
const HELP: readonly string[] = ['-h', '--help'];
/**
 * The service used where all services give the same answer: the keys of persons are stored in one place, and the rules
 * of a command line are the same everywhere.
 */
export const ANY: ServiceName = 'onboarding';

/** Takes `--service <name>` out of a command line. Throws if the service does not exist. */
export function readLine(argv: readonly string[]): Line {
  const at = argv.findIndex((word) => word === FLAG || word.startsWith(`${FLAG}=`));
  if (at < 0) return { service: undefined, words: argv };
  const inOne = argv[at] !== FLAG;
  const name = inOne ? argv[at]?.slice(FLAG.length + 1) : argv[at + 1];
  const service = SERVICES.find((one) => one === name);
  if (!service) throw new Error(`unknown service ${name ?? ''}; use one of: ${SERVICES.join(', ')}`);
  return { service, words: [...argv.slice(0, at), ...argv.slice(at + (inOne ? 1 : 2))] };
}

/**
 * Determines the services for a command line without `--service`: the one that owns the named read model or relay or
 * has parked the event; for verbs that only read, all services.
 */
export function addresseeOf(words: readonly string[]): Addressee {
  const [verb = '', kind = '', name = ''] = words;
  const named = name !== '' && !name.startsWith('-');
  if (verb === 'keys' || words.some((word) => HELP.includes(word))) return { services: [ANY] };
  if (verb === 'restore' && kind === 'unknown-payouts') return { services: ['ledger'] };
  if (verb === 'edge') return { services: ['gateway'] };
  if (verb === 'failpoint') throw new Error('use --service to name the service whose process is to be killed');
  if (named && ((verb === 'parked' && kind !== 'list') || (verb === 'dead-letters' && kind === 'replay')))
    return { whoParked: name };
  if (verb === 'read-models')
    return {
      services: named
        ? [ownerOf('read model', name, readModelsOf)]
        : SERVICES.filter((service) => readModelsOf(service).length > 0),
    };
  if (verb === 'restore' || (verb === 'relay' && kind === 'rewind' && !named))
    return { services: SERVICES.filter((service) => readersOf(service).length > 0) };
  if (verb === 'relay' && named) return { services: [ownerOf('relay', name, relaysOf)] };
  return { services: SERVICES };
}

/** Log readers other than the relay to the brokers. */
const OTHERS: Readonly<Partial<Record<ServiceName, readonly string[]>>> = {
  webhooks: LOG_READERS,
  onboarding: [OWN_WALLETS_READER],
};
/** Readers that are rewound to a time instead of a position. */
const TIME_READERS: Readonly<Partial<Record<ServiceName, readonly TimeReader[]>>> = {
  ledger: BANK_READERS,
  movements: DEPOSIT_SCANS,
};
const readModelsOf = (service: ServiceName): readonly string[] =>
  (READ_MODELS_OF[service] ?? []).map((readModel) => readModel.name);
/** Readers of the log. Only these are rewound together. */
const readersOf = (service: ServiceName): readonly string[] => [
  ...(SERVICE_CATEGORIES[service].length > 0 ? [relayName(service)] : []),
  ...(OTHERS[service] ?? []),
];
const relaysOf = (service: ServiceName): readonly string[] => [
  ...readersOf(service),
  ...(TIME_READERS[service] ?? []).map(({ name }) => name),
];

function ownerOf(kind: string, name: string, namesOf: (service: ServiceName) => readonly string[]): ServiceName {
  const owner = SERVICES.find((service) => namesOf(service).includes(name));
  if (!owner) throw new Error(`no ${kind} is called ${name}; there are ${SERVICES.flatMap(namesOf).join(', ')}`);
  return owner;
}
