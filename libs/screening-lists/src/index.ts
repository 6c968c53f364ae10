export { BadList } from './bad-list';
export type { ListSource } from './list-source';
export { builtInList, fileList } from './list-source';
export type { ListReader } from './local-list';
export { LocalList } from './local-list';
export { parseXml } from './parse-xml';
export { PlainXml } from './plain-xml';
export { SplitList } from './split-list';
