import { resolve } from 'node:path';
import { benchQuotes } from './quotes';
import { print, store } from './report';

const script = (name: string): string => resolve(__dirname, `${name}.js`);

async function main(): Promise<void> {
  const rows = [...(await benchQuotes({ cluster: script('cluster-child'), bare: script('bare-child') }))];
  print(rows);
  process.stdout.write(`\n${store(rows, resolve('bench-results'))}\n`);
}

void main();
