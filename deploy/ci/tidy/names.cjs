/** The rules about the names of files and folders. */
const path = require('node:path');
const layout = require('../layout.cjs');

const fileRole = (file, _lines, { hasFile }) => {
  const [name, ...parts] = path.basename(file).split('.').slice(0, -1);
  /** `<vendor>.<name>.adapter.ts` and its tests: the name of the port is not a role. */
  const isAdapter = parts[1] === 'adapter' || (parts[1] === 'int' && hasFile(`${name}.${parts[0]}.adapter.ts`));
  const roles = isAdapter ? parts.slice(1) : parts;
  return /^(apps|libs)\/[^/]+\/src\/.*\.ts$/.test(file)
    ? roles
        .filter((role) => !(role in layout.ROLES || role in layout.TEST_ROLES))
        .map((role) => ({
          line: 1,
          message: `"${role}" is not a role of a file: deploy/ci/layout.cjs lists the roles`,
        }))
    : [];
};

/**
 * The role comes after a full stop. In a library, a name may be the word of a role alone: the library defines what
 * files of this role are made of.
 */
const hyphenatedRole = (file) => {
  const [, place, name] = /^(apps|libs)\/[^/]+\/src\/(?!.*\btesting\/)(?:.*\/)?([^/.]+)\.ts$/.exec(file) ?? [];
  if (name === undefined || layout.OTHER_SENSES.includes(name)) return [];
  const role = Object.keys(layout.ROLES)
    .filter((word) => !layout.ORDINARY_WORDS.includes(word))
    .find((word) => name.endsWith(`-${word}`) || (name === word && place === 'apps'));
  if (role === undefined) return [];
  const stem = name === role ? path.basename(path.dirname(file)) : name.slice(0, -role.length - 1);
  return [{ line: 1, message: `"${role}" is the role of the file: name it ${stem}.${role}.ts` }];
};

/** A folder is named for a feature; adapters are the exception, and only inside a feature. */
const folderName = (file) => {
  const folders = /^apps\/[^/]+\/src\/(.*)\/[^/]+\.ts$/.exec(file)?.[1].split('/') ?? [];
  return folders
    .filter((name, depth) => layout.NO_FOLDERS.includes(name) || (name === 'adapters' && depth === 0))
    .map((name) => ({
      line: 1,
      message: `"${name}" is not allowed as a folder name: put the file in the folder of its feature`,
    }));
};

/**
 * The roles, one of which the name of a file must contain, by the decorator of a class in the file or the interface of
 * Nest that it implements. The first one is the usual role.
 */
const ROLES_OF = {
  CommandHandler: ['command', 'commands'],
  QueryHandler: ['query', 'queries', 'command', 'commands'],
  Policy: ['policy', 'policies'],
  Controller: ['controller'],
  Module: ['module'],
  CanActivate: ['guard'],
  PipeTransform: ['pipe'],
  NestInterceptor: ['interceptor'],
  ExceptionFilter: ['filter'],
};

const ofService = (file) => /^apps\/[^/]+\/src\/.*\.ts$/.test(file) && !/\.spec\.ts$|\/testing\//.test(file);

/** The interfaces that the classes of a text implement, without their type arguments, and the lines of the classes. */
const implementedIn = (text) =>
  [...text.matchAll(/^(?:export )?(?:abstract )?class \w[^{]*?\bimplements ([^{]+)\{/gm)].flatMap(
    ({ 1: list, index }) =>
      list
        .replace(/<[^>]*>/g, '')
        .split(',')
        .map((name) => ({ name: name.trim(), line: text.slice(0, index).split('\n').length })),
  );

const missingRole = (file, lines) =>
  ofService(file)
    ? [
        ...lines.map((text, index) => ({ name: /^@(\w+)\(/.exec(text)?.[1], line: index + 1 })),
        ...implementedIn(lines.join('\n')),
      ].flatMap(({ name, line }) => {
        const roles = ROLES_OF[name] ?? [];
        return roles.length === 0 || roles.some((role) => file.endsWith(`.${role}.ts`))
          ? []
          : [{ line, message: `this file has the role of a ${roles[0]}: name it <name>.${roles[0]}.ts` }];
      })
    : [];

const hasRole = (file) =>
  path
    .basename(file)
    .split('.')
    .slice(1, -1)
    .some((part) => part in layout.ROLES);

/** A class that Nest injects is in a file with a role; without another one, the role is `service`. */
const serviceName = (file, lines) =>
  ofService(file) && !hasRole(file)
    ? lines.flatMap((text, index) =>
        text.startsWith('@Injectable(')
          ? [{ line: index + 1, message: 'this class is injected: name its file <name>.service.ts, or by its role' }]
          : [],
      )
    : [];

const kebab = (name) => name.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();

/** A class that implements an interface of a `*.port.ts` is in `<vendor>.<port>.adapter.ts`, by the file or the interface. */
const adapterName = (file, lines) => {
  if (!ofService(file)) return [];
  const text = lines.join('\n');
  const ports = [...text.matchAll(/^import type \{([^}]*)\} from '[^']*?([^'/]+)\.port';/gm)].flatMap(
    ([, names, port]) => names.split(',').map((name) => ({ name: name.trim(), port })),
  );
  const found = implementedIn(text).flatMap(({ name, line }) =>
    ports.filter((one) => one.name === name).map(({ port }) => ({ names: [port, kebab(name)], line })),
  );
  const isNamed = found.some(({ names }) => names.some((name) => file.endsWith(`.${name}.adapter.ts`)));
  return isNamed
    ? []
    : found
        .slice(0, 1)
        .map(({ names, line }) => ({ line, message: `this is an adapter: name it <vendor>.${names[1]}.adapter.ts` }));
};

module.exports = { adapterName, fileRole, folderName, hyphenatedRole, missingRole, serviceName };
