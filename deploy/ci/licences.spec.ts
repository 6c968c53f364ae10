import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Component, LockFile } from './licences.cjs';
import { componentsIn, licenceFaults } from './licences.cjs';

const component = (licenses?: Component['licenses']): Component => ({ name: 'a', version: '1.0.0', licenses });

describe('the licence check', () => {
  it.each([
    [[{ license: { id: 'MIT' } }]],
    [[{ expression: '(MIT OR GPL-3.0-only)' }]],
    [[{ expression: 'Apache-2.0 AND MIT' }]],
  ])('accepts %j', (licenses) => expect(licenceFaults([component(licenses)])).toEqual([]));

  it.each([
    [[{ license: { id: 'GPL-3.0-only' } }]],
    [[{ expression: 'MIT AND AGPL-3.0-only' }]],
    [[{ license: { id: 'SEE LICENSE IN LICENSE.txt' } }]],
    [[{ license: { id: 'MIT' } }, { license: { id: 'SSPL-1.0' } }]],
    [[]],
    [undefined],
  ])('refuses %j', (licenses) => expect(licenceFaults([component(licenses)])).toHaveLength(1));
});

describe('the packages of a lock file', () => {
  const guides = JSON.parse(readFileSync(resolve(__dirname, '../../docs/site/package-lock.json'), 'utf8')) as LockFile;

  it('include what the guides send to browsers, with an allowed licence each', () => {
    const components = componentsIn(guides);
    expect(components.map(({ name }) => name)).toEqual(expect.arrayContaining(['vue', 'vitepress', 'mermaid']));
    expect(licenceFaults(components)).toEqual([]);
  });

  it('have the name of the package that is installed, and no licence if none is stated', () => {
    const packages = {
      '': { name: 'guides' },
      'node_modules/a/node_modules/@b/c': { version: '1.0.0', license: 'MIT' },
      'node_modules/alias': { name: '@d/e', version: '2.0.0' },
    };
    expect(componentsIn({ packages })).toMatchObject([
      { name: '@b/c', purl: 'pkg:npm/%40b/c@1.0.0', licenses: [{ expression: 'MIT' }] },
      { name: '@d/e', purl: 'pkg:npm/%40d/e@2.0.0', licenses: [] },
    ]);
  });
});
