/**
 * Names, ISO 32000-2, with which a PDF runs a program, sends what was entered, or plays something: types of actions and
 * annotations, and keys under which scripts and forms with scripts are found. No document of a person needs them.
 */
export const ACTIVE_NAMES: readonly string[] = [
  'JavaScript',
  'JS',
  'Launch',
  'SubmitForm',
  'ImportData',
  'GoToE',
  'Rendition',
  'Movie',
  'Sound',
  'RichMedia',
  'RichMediaExecute',
  'XFA',
  '3D',
];
