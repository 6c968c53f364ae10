import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { MOST_BACKTESTED } from '@ponte/contracts';
import { refuse } from '@ponte/kernel';
import { checkRules } from './check-rules';
import type { WireBacktest, WireRules } from './rules-tables';
import { backtestTable, checkTable, rulesTable } from './rules-tables';

/** The staff routes on pricing rules, by their paths below `/staff/pricing-rules`. */
export interface RulesRoutesPort {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: object): Promise<T>;
}

export interface RulesVerbOptions {
  readonly routes: RulesRoutesPort;
  readonly print: (text: string) => void;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

interface Flags {
  readonly file: string;
  readonly last: string;
  readonly at?: string;
  readonly json?: boolean;
}

/** `rules show`, `rules check` and `rules backtest`. A check needs no running service; a violation is exit code 1. */
export function rulesVerb({ routes, print, now }: RulesVerbOptions): Command {
  const rules = new Command('rules').description('shows, checks and back-tests pricing rules').exitOverride();
  const put = (json: boolean | undefined, value: object, table: string) =>
    print(json ? JSON.stringify(value, null, 2) : table);
  rules
    .command('show')
    .description('the rules in force and their history, or one version with its tables')
    .option('--version-id <version>', 'the version that a quote names as rules-version')
    .option('--json', 'for machines')
    .action(async ({ versionId, json }: { versionId?: string; json?: boolean }) => {
      if (versionId === undefined) {
        const history = await routes.get<WireRules>('');
        return put(json, history, rulesTable(history));
      }
      print(JSON.stringify(await routes.get(`/${encodeURIComponent(versionId)}`), null, 2));
    });
  rules
    .command('check')
    .description('every violation in a file of rules; changes nothing and needs no running service')
    .requiredOption('--file <file>', 'JSON, in the form of PONTE_PRICING_RULES')
    .option('--json', 'for machines')
    .action(({ file, json }: Flags) => {
      const { check } = checkRules(read(file), now());
      put(json, check, checkTable(check));
      if (check.violations.length > 0) throw new CommanderError(1, 'ponte.invalid-rules', 'the rules have violations');
    });
  rules
    .command('backtest')
    .description('prices the last quotes again by a file of rules and shows the differences; changes nothing')
    .requiredOption('--file <file>', 'JSON, in the form of PONTE_PRICING_RULES')
    .option('--last <number>', `how many quotes, 1 to ${MOST_BACKTESTED}`, '100')
    .option('--at <time>', 'the moment whose rows are used (RFC 3339); now, or when the version begins')
    .option('--json', 'for machines')
    .action(async ({ file, last, at, json }: Flags) => {
      const body = { rules: read(file), last: Number(last), ...(at === undefined ? {} : { at }) };
      const { backtest } = await routes.post<{ backtest: WireBacktest }>('/backtest', body);
      put(json, backtest, backtestTable(backtest));
    });
  return rules;
}

function read(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as unknown;
  } catch (error) {
    const why = error instanceof SyntaxError ? `is not JSON: ${error.message}` : 'cannot be read';
    return refuse('invalid-format', `${file} ${why}`, '--file');
  }
}
