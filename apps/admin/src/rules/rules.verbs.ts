import { MAX_BACKTESTED } from '@ponte/contracts';
import type { RulesCheck } from '@ponte/contracts';
import { refuse } from '@ponte/kernel';
import type { Command } from 'commander';
import { CommanderError } from 'commander';
import type { JsonFlag, VerbTools } from '../verb';
import { noun, verb } from '../verb';
import type { WireBacktest, WireRules } from './rules-tables';
import { backtestTable, checkTable, rulesTable } from './rules-tables';

interface Flags extends JsonFlag {
  readonly file: string;
  readonly last: string;
  readonly at?: string;
}

const RULES = '/staff/pricing-rules';
/** The time-out of a back-test, which reads the end of the log and prices hundreds of quotes. */
const BACKTEST_MS = 60_000;

/** `rules show`, `rules check` and `rules backtest`. The exit code is 1 if the rules have a violation. */
export function rulesVerbs(program: Command, { api, print, readFile, checkRules }: VerbTools): void {
  const rules = noun(program, 'rules', 'show, check and back-test pricing rules', 'check --file rules.json');
  const put = (json: boolean | undefined, value: object, table: string) =>
    print(json ? JSON.stringify(value, null, 2) : table);
  const fromFile = (name: string, description: string): Command =>
    verb(rules, name, description).requiredOption('--file <file>', 'a JSON file in the form of PONTE_PRICING_RULES');
  verb(rules, 'show', 'show the rules in force and their history, or one version with its tables')
    .option('--version-id <version>', 'the version that a quote names as rules-version')
    .action(async ({ versionId, json }: JsonFlag & { versionId?: string }) => {
      if (versionId !== undefined)
        return print(JSON.stringify(await api.get(`${RULES}/${encodeURIComponent(versionId)}`), null, 2));
      const history = await api.get<WireRules>(RULES);
      put(json, history, rulesTable(history));
    });
  fromFile('check', 'list every violation in a file of rules; changes nothing').action(
    async ({ file, json }: Flags) => {
      const proposed = read(file, readFile);
      const check = checkRules?.(proposed) ?? (await checked(api, proposed));
      put(json, check, checkTable(check));
      if (check.violations.length > 0) throw new CommanderError(1, 'ponte.invalid-rules', 'the rules have violations');
    },
  );
  fromFile(
    'backtest',
    'price the last quotes again with the rules of a file, and show the differences; changes nothing',
  )
    .option('--last <number>', `how many quotes, 1 to ${MAX_BACKTESTED}`, '100')
    .option('--at <time>', 'the moment whose rows are used (RFC 3339); now, or when the version begins')
    .action(async ({ file, last, at, json }: Flags) => {
      const body = { rules: read(file, readFile), last: Number(last), at };
      const { backtest } = await api.post<{ backtest: WireBacktest }>(`${RULES}/backtest`, body, BACKTEST_MS);
      put(json, backtest, backtestTable(backtest));
    });
}

interface WireCheck extends Pick<RulesCheck, 'version' | 'id' | 'violations'> {
  readonly 'valid-from': RulesCheck['validFrom'];
  readonly 'valid-to': RulesCheck['validTo'];
}

async function checked(api: VerbTools['api'], rules: unknown): Promise<RulesCheck> {
  const { check } = await api.post<{ check: WireCheck }>(`${RULES}/check`, { rules });
  const { version, id, 'valid-from': validFrom, 'valid-to': validTo, violations } = check;
  return { version, id, validFrom, validTo, violations };
}

function read(file: string, readFile: (path: string) => string): unknown {
  try {
    return JSON.parse(readFile(file)) as unknown;
  } catch (error) {
    const why = error instanceof SyntaxError ? `is not JSON: ${error.message}` : 'cannot be read';
    return refuse('invalid-format', `${file} ${why}`, '--file');
  }
}
