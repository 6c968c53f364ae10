import { builtInList } from '@ponte/screening-lists';
import { LocalScreening } from './local.screening.adapter';

it('a search says that more people of one name are listed than it returns', async () => {
  const people = Array.from(
    { length: 5_001 },
    (_, i) =>
      `<INDIVIDUAL><REFERENCE_NUMBER>PEP-${i}</REFERENCE_NUMBER><FIRST_NAME>Rodolfo</FIRST_NAME><SECOND_NAME>Tarnowitz</SECOND_NAME></INDIVIDUAL>`,
  );
  const list = `<CONSOLIDATED_LIST><INDIVIDUALS>${people.join('')}</INDIVIDUALS></CONSOLIDATED_LIST>`;
  const screening = await LocalScreening.open({ lists: [builtInList('pep', list)], threshold: 80 });
  const subject = { subjectRef: 's', names: ['Rodolfo Tarnowitz'], dateOfBirth: null, country: 'BRA' };
  const { hits } = await screening.screen(subject);
  expect([hits.length, hits.at(-1)]).toEqual([
    5_001,
    expect.objectContaining({ list: 'more-matches', entryId: 'pep-search-limit', score: 100 }),
  ]);
});
