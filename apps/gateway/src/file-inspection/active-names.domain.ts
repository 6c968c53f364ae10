/**
 * PDF names (ISO 32000-2) by which a PDF runs a program, submits entered data or plays media: types of actions and
 * annotations, and keys of scripts and scripted forms. No identity document needs them.
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
