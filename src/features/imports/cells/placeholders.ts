const words = (text: string): readonly string[] => text.split(',').map((word) => word.trim())

/** Texts that tools and spreadsheets write for nothing, in any field. */
const UNMISTAKABLE = new Set([
  ...words('-, --, ---, –, —, −, n/a, n\\a, #n/a, #n/d, #nv, null, <null>, nan, <na>'),
  ...words('#ref!, #value!, #name?, #div/0!, #null!, #num!, #wert!, #bezug!, #valor!, #valeur!'),
])

/** Words for nothing in fields that are not prose, in lower case. */
const WORDS = new Set([
  ...UNMISTAKABLE,
  ...words(`., .., ..., …, ?, ??, ???, _, *, /, \\, ~, n.a., n.a, n. a., na, n/d, n.d., nil, none, (none), [none], nothing, undefined,
    undisclosed, not disclosed, confidential, unknown, not known, not available, not applicable, not specified, unspecified,
    not set, not found, no data, no info, missing, empty, (empty), blank, (blank), tbd, t.b.d., tba, tbc, to be determined,
    to be confirmed, to be announced, [], {}, [null], "", '', #spill!, #calc!, #getting_data`),
  ...words(`k.a., k. a., keine angabe, keine angaben, unbekannt, nicht bekannt, nicht verfügbar, nicht angegeben, entfällt, leer,
    s/o, n.c., n.r., non renseigné, non communiqué, non disponible, inconnu, sans objet, aucun, aucune, vide, néant,
    s/d, sin datos, desconocido, desconocida, no disponible, ninguno, no aplica, no especificado, por definir,
    desconhecido, não disponível, não informado, nenhum, sem dados, a definir, n.d, sconosciuto, non disponibile, nessuno,
    non specificato, n.v.t., nvt, onbekend, niet beschikbaar, geen, niet van toepassing, b.d., brak, brak danych, nieznany,
    nie dotyczy, nieznane, нет, нет данных, н/д, неизвестно, не указано, -нет-, 无, 無, 不明, 未知, なし`),
])

/** Texts that are no name. Words such as "Unknown" and "NA" may be one. */
const NAMELESS = new Set([
  ...UNMISTAKABLE,
  ...words(
    'n.a., n/d, none, (none), undefined, tbd, tba, tbc, (blank), (empty), not available, no name, (no name)',
  ),
])

/** What tools write where a record has no owner. */
const OWNERLESS = new Set([
  ...WORDS,
  ...words(`unassigned, not assigned, no owner, nobody, no one, without owner, nicht zugewiesen, kein besitzer, niemand,
    non attribué, non assigné, aucun propriétaire, sin asignar, sin propietario, não atribuído, sem proprietário,
    non assegnato, nessun proprietario, niet toegewezen, geen eigenaar, nieprzypisany, brak właściciela, не назначен`),
])

const MAX_LENGTH = 40

/** Where a placeholder stands: prose and texts may have words such as "unknown" as their content. */
export type PlaceholderKind = 'word' | 'prose' | 'name' | 'owner'

const SETS: Readonly<Record<PlaceholderKind, ReadonlySet<string>>> = {
  word: WORDS,
  prose: UNMISTAKABLE,
  name: NAMELESS,
  owner: OWNERLESS,
}

/** Signs alone are no name either. */
const SIGNS = /^[-‐‑‒–—−._?*~/\\\s]+$/

/** Whether a text, without outer spaces, stands for nothing. */
export function isPlaceholder(text: string, kind: PlaceholderKind = 'word'): boolean {
  if (text.length > MAX_LENGTH) return false
  return SETS[kind].has(text.toLowerCase()) || (kind !== 'prose' && SIGNS.test(text))
}
