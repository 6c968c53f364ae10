import type { ListedBirth } from './birth-dates.domain';
import { comparable } from './comparable-name.domain';
import { rememberedSimilarity } from './words/similarity.domain';
import { THRESHOLD, indexOf, person, screen } from './match-people.testing';

const DAY = '1970-05-17';
const BORN: readonly ListedBirth[] = [{ kind: 'exact', date: DAY }];

const score = (listed: string, searched: string, dateOfBirth: string | null): number =>
  screen(indexOf(person('x', [listed], { births: BORN })), searched, dateOfBirth)[0]?.score ?? 0;

const ONE_LETTER: readonly (readonly [string, string])[] = [
  ['Ana Souza', 'Ana Sousa'],
  ['Maria Souza', 'Maria Sousa'],
  ['Ana Souza Lima', 'Ana Sousa Lima'],
  ['Maria Aparecida de Souza', 'Maria Aparecida de Sousa'],
  ['Luiz Silva', 'Luis Silva'],
  ['Luiz Inácio Lula da Silva', 'Luis Inacio da Silva'],
  ['Luiz Carlos de Souza Dias', 'Luis Carlos de Sousa Diaz'],
  ['João Dias', 'João Diaz'],
  ['Pedro Cruz', 'Pedro Crus'],
  ['José Braz', 'José Bras'],
  ['Eva Paz', 'Eva Pas'],
  ['Thiago Vaz', 'Tiago Vas'],
  ['Rosa Lima', 'Roza Lima'],
  ['Cecília Prado', 'Sesília Prado'],
  ['Maria Graça', 'Maria Graca'],
  ['Saif Hussein', 'Seif Hussein'],
  ['Zeid Hussein', 'Zaid Hussein'],
  ['Jean Lima', 'Gean Lima'],
  ['João Lima', 'Juão Lima'],
  ['Vera Lima', 'Wera Lima'],
  ['Oleg Belov', 'Aleg Belov'],
];

const OW: readonly (readonly [string, string])[] = [
  ['Sergei Ivanov', 'Sergei Iwanow'],
  ['Sergei Popov', 'Sergei Popow'],
  ['Viktor Petrov', 'Viktor Petrow'],
  ['Anna Petrova', 'Anna Petrowa'],
  ['Boris Nemzow', 'Boris Nemtsov'],
  ['Vladimir Shcherbatnov', 'Wladimir Schtscherbatnow'],
  ['Jan Kowalski', 'Jan Kovalski'],
  ['Piotr Sokolowski', 'Piotr Sokolovski'],
  ['Lucy Chow', 'Lucy Chou'],
  ['Owais Barqan', 'Ouais Barqan'],
  ['Rowan Barqan', 'Rouan Barqan'],
  ['Rowaida Barqan', 'Rouaida Barqan'],
  ['Hassan Towati', 'Hassan Touati'],
  ['Fowad Barqan', 'Fouad Barqan'],
  ['Howari Barqan', 'Houari Barqan'],
  ['Ahmed Robow', 'Ahmed Robou'],
  ['Hassan Farow', 'Hassan Farou'],
];

/** A name may repeat the father's name. */
const REPEATED: readonly (readonly [string, string])[] = [
  ['Saeed Saeed Anwar', 'Saeed Saeed'],
  ['Mohamed Mohamed', 'Mohamed Mohamed Hassan'],
  ['Abdullah Abdullah Khan', 'Abdullah Abdullah'],
];

describe('A name in another spelling', () => {
  it.each([...ONE_LETTER, ...OW, ...REPEATED])('is found: %s, searched as %s', (listed, searched) => {
    for (const [one, other] of [
      [listed, searched],
      [searched, listed],
    ] as const) {
      expect(score(one, other, DAY)).toBeGreaterThanOrEqual(THRESHOLD);
      expect(score(one, other, null)).toBeGreaterThanOrEqual(THRESHOLD);
    }
  });

  it.each([
    ['Ana Lima', 'Ana Lira'],
    ['Rosa Lima', 'Roma Lima'],
    ['Luiz Prado', 'Lucas Prado'],
    ['Eva Paz', 'Eva Pio'],
    ['Pedro Cruz', 'Pedro Brum'],
    ['Pedro Melo', 'Pedro Mota'],
    ['Yusuf Barqan', 'Asif Barqan'],
    ['João Silveira', 'João Silva'],
    ['Sergei Popov', 'Sergei Pavlov'],
  ])('is not found if it is another name: %s, searched as %s', (listed, searched) => {
    expect(score(listed, searched, null)).toBe(0);
  });
});

describe('The commonest Brazilian surnames', () => {
  const SURNAMES = (
    'Silva Santos Oliveira Souza Rodrigues Ferreira Alves Pereira Lima Gomes Costa Ribeiro Martins Carvalho Almeida Lopes ' +
    'Soares Fernandes Vieira Barbosa Rocha Dias Nascimento Andrade Moreira Nunes Marques Machado Mendes Freitas Cardoso ' +
    'Ramos Gonçalves Santana Teixeira Araújo Cavalcante Melo Moura Campos Batista Borges Castro Correia Cunha Duarte ' +
    'Farias Fonseca Garcia Leite Macedo Medeiros Miranda Monteiro Moraes Neves Novaes Pinheiro Pinto Pires Queiroz Reis ' +
    'Sales Sampaio Tavares Torres Xavier Viana Brito Bezerra Coelho Siqueira Azevedo Barros Aguiar Amaral Antunes Assis ' +
    'Bastos Braga Caldas Camargo Chaves Coutinho Dantas Diniz Esteves Figueiredo Franco Guimarães Lacerda Magalhães Maia ' +
    'Matos Menezes Mota Nogueira Pacheco Paiva Peixoto Pessoa Porto Prado Rangel Rezende Rios Sena Serra Toledo Trindade ' +
    'Vargas Vasconcelos Paes Leal Luz Cruz Paz Vaz Lins Meira Lira Luna Lobo'
  ).split(' ');

  it('are not taken for each other, except these', () => {
    const similarity = rememberedSimilarity();
    const alike: string[] = [];
    const words = SURNAMES.map((name) => ({ name, word: comparable(name).words[0] ?? '' }));
    for (const [i, a] of words.entries())
      for (const b of words.slice(i + 1)) if (similarity(a.word, b.word) > 0) alike.push(`${a.name} ${b.name}`);
    expect(alike).toEqual(['Ferreira Pereira', 'Machado Macedo', 'Neves Novaes', 'Sales Chaves', 'Paes Paz']);
  });
});
