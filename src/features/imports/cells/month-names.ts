/** Month names and their abbreviations in English, German, French, Spanish, Portuguese, Italian, Dutch, and Polish, and Russian. */
const NAMES = [
  'january jan januar jänner jän janvier janv enero ene janeiro gennaio gen januari styczeń stycznia sty январь января янв',
  'february feb februar février févr fév febrero fevereiro fev febbraio februari luty lutego lut февраль февраля фев',
  'march mar mär märz mrz mars marzo março maart mrt marzec marca marz март марта мар',
  'april apr avril avr abril abr aprile kwiecień kwietnia kwi апрель апреля апр',
  'may mai mayo maio maggio mag mei maj maja май мая',
  'june jun juni juin junio junho giugno giu czerwiec czerwca cze июнь июня июн',
  'july jul juli juillet juil julio julho luglio lug lipiec lipca lip июль июля июл',
  'august aug août aoû agosto ago augustus sierpień sierpnia sie август августа авг',
  'september sep sept septembre septiembre setembro set settembre wrzesień września wrz сентябрь сентября сен сент',
  'october oct okt oktober octobre octubre outubro out ottobre ott październik października paź октябрь октября окт',
  'november nov novembre noviembre novembro listopad listopada lis ноябрь ноября ноя нояб',
  'december dec dez dezember décembre déc diciembre dic dezembro dicembre grudzień grudnia gru декабрь декабря дек',
]

const MONTHS: ReadonlyMap<string, number> = new Map(
  NAMES.flatMap((names, index) =>
    names
      .split(' ')
      .flatMap((name) => [
        [name, index + 1] as const,
        [name.normalize('NFKD').replace(/\p{M}/gu, ''), index + 1] as const,
      ]),
  ),
)

/** The number of a month, 1 to 12, by its name or abbreviation in lower case and without a period. */
export const monthNamed = (name: string): number | undefined => MONTHS.get(name)
