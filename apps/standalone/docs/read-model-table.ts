import { READ_MODELS_OF } from '../src/cluster.read-models';
import { withGeneratedPart } from './generated-part';

/** Returns `docs/operations/read-models-and-readers.md` with its table of read models updated from the code. */
export function withReadModels(document: string): string {
  const rows = Object.entries(READ_MODELS_OF).flatMap(([service, readModels = []]) =>
    readModels.map(
      ({ name, tables }) => `| ${service} | \`${name}\` | ${tables.map((one) => `\`${one}\``).join(', ')} |`,
    ),
  );
  return withGeneratedPart(document, ['| service | read model | tables |', '|---|---|---|', ...rows].join('\n'));
}
