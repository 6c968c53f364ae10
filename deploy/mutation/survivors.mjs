import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { PluginKind, declareClassPlugin, declareValuePlugin } from '@stryker-mutator/api/plugin';

const MAX_LENGTH = 90;
const shown = (text) => {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line;
};

/** The part of a text at a location, whose lines and columns are counted from one. */
function partOf(text, { start, end }) {
  const lines = text.split('\n').slice(start.line - 1, end.line);
  lines[lines.length - 1] = lines[lines.length - 1].slice(0, end.column - 1);
  lines[0] = lines[0].slice(start.column - 1);
  return lines.join('\n');
}

/** Prints each mutant that no test noticed as soon as it is known, so that a run that is stopped has told something. */
class Survivors {
  counts = {};
  texts = new Map();
  unreached = new Set();

  /** The files may be edited while the mutants are tested, so their texts are kept. */
  onMutationTestingPlanReady({ mutantPlans }) {
    for (const { mutant } of mutantPlans) this.texts.set(mutant.fileName, readFileSync(mutant.fileName, 'utf8'));
  }

  onMutantTested({ fileName, location, mutatorName, replacement, status }) {
    this.counts[status] = (this.counts[status] ?? 0) + 1;
    if (status !== 'Survived' && status !== 'NoCoverage') return;
    const line = `${relative(process.cwd(), fileName)}:${location.start.line}`;
    if (status === 'NoCoverage') {
      if (!this.unreached.has(line)) process.stdout.write(`${line} no test runs this line\n`);
      this.unreached.add(line);
      return;
    }
    const change = `${shown(partOf(this.texts.get(fileName), location))} → ${shown(replacement ?? '')}`;
    process.stdout.write(`${line}:${location.start.column} ${mutatorName}: ${change}\n`);
  }

  onMutationTestReportReady() {
    const total = Object.values(this.counts).reduce((sum, count) => sum + count, 0);
    const parts = Object.entries(this.counts).map(([status, count]) => `${count} ${status}`);
    process.stdout.write(`${total} mutants: ${parts.join(', ')}\n`);
  }
}

/** Sentences are for people: no test has to notice a changed word. Codes and names have no spaces. */
const prose = {
  shouldIgnore({ node }) {
    const texts = node.type === 'TemplateLiteral' ? node.quasis.map(({ value }) => value.raw) : [node.value];
    const isText = node.type === 'TemplateLiteral' || node.type === 'StringLiteral';
    return isText && texts.some((text) => text.includes(' ')) ? 'a sentence' : undefined;
  },
};

export const strykerPlugins = [
  declareClassPlugin(PluginKind.Reporter, 'survivors', Survivors),
  declareValuePlugin(PluginKind.Ignore, 'prose', prose),
];
