import type { Component } from './licences.cjs';
import { licenceFaults } from './licences.cjs';

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
