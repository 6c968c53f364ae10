// Renders the examples of values in docs/deploy, each on top of the values that its first line names.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { faultsIn } from '../policies.mjs';
import { render, SERVICES } from '../render.mjs';
import { settingFaults, triggerFaults, variablesOf } from '../settings.mjs';
import { GUIDE, guide } from './guide.mjs';
import { leftToDefault } from './settings.mjs';
import { check, seen } from './results.mjs';

export async function examples(releases) {
  const blocks = blocksIn(guide());
  check(
    `every example of ${GUIDE} names its file`,
    blocks.filter(([file]) => file === undefined || (!releases.has(file) && file !== 'common')).map(([, text]) => text),
  );
  const services = SERVICES.filter((service) => examplesFor(service, blocks).length > 0);
  check(`${GUIDE} has examples`, services.length === SERVICES.length ? [] : ['for common.yaml, none was found']);
  for (const service of services)
    check(`the examples of ${GUIDE} render for ${service}`, faults(service, blocks, releases));
  // The values of this repository simulate the banks, so only the example has a scaler of the ledger.
  const withBanks = rendered('ledger', examplesFor('ledger', blocks));
  check('a ledger with real banks scales by the topics that it consumes', [
    ...(withBanks.some(({ kind }) => kind === 'ScaledObject') ? [] : ['no ScaledObject']),
    ...(await triggerFaults('ledger', withBanks)),
  ]);
  const planted = blocks.map(([file, text]) => [file, text.replace('LEDGER_PIX_BANK_URL', 'LEDGER_PIX_BANK_UR')]);
  seen('an example with a setting that no code reads', faults('ledger', planted, releases).length > 0);
}

/** The YAML blocks, each with the name of the values that it changes. */
const blocksIn = (guide) =>
  [...guide.matchAll(/^ *```yaml\n([\s\S]*?)^ *```$/gm)].map(([, text]) => [
    /^ *# deploy\/values\/(\w+)\.yaml\n/.exec(text)?.[1],
    text,
  ]);

const examplesFor = (release, blocks) =>
  blocks.filter(([file]) => file === release || file === 'common').map(([, text]) => text);

function faults(service, blocks, releases) {
  try {
    const changed = new Map(
      [service, 'platform'].map((release) => [release, rendered(release, examplesFor(release, blocks))]),
    );
    const documents = changed.get(service);
    const [before, now] = [variablesOf(releases.get(service)), variablesOf(documents)];
    // The guide says to remove the names that an example sets.
    const left = (names) => names.filter((name) => before.has(name) || !now.has(name));
    const { common, own } = leftToDefault(service);
    return [
      ...settingFaults(service, now, { common: left(common), own: left(own) }),
      ...faultsIn(documents, [...new Map([...releases, ...changed]).values()].flat()).map(
        ({ policy, fault }) => `${policy}: ${fault}`,
      ),
    ];
  } catch (error) {
    return [error.message.split('\n').slice(0, 4).join(' ')];
  }
}

function rendered(release, texts) {
  const folder = mkdtempSync(join(tmpdir(), 'ponte-examples-'));
  try {
    return render(
      release,
      texts.flatMap((text, index) => {
        const file = join(folder, `${index}.yaml`);
        writeFileSync(file, text);
        return ['-f', file];
      }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
