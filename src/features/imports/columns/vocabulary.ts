import { normalizedName } from './normalized-name.ts'

/** The normalized names of columns for each field, best first. A name in slashes is a pattern. */
export type Vocabulary<Field extends string> = Readonly<Record<Field, readonly (string | RegExp)[]>>

/** Names between commas, normalized. */
export const names = (text: string): readonly string[] => text.split(',').map(normalizedName)

/** Tools put these before the names of columns: "Record > Name". */
const PREFIX = /^(?:parent record|record|hs|associated)\s+(?=.)/

/** The field that the name of a column stands for, and its place among the names of the field. */
export function fieldNamedBy<Field extends string>(
  vocabulary: Vocabulary<Field>,
  header: string,
): { field: Field; rank: number } | undefined {
  const name = normalizedName(header)
  return findField(vocabulary, name) ?? findField(vocabulary, name.replace(PREFIX, ''))
}

function findField<Field extends string>(
  vocabulary: Vocabulary<Field>,
  name: string,
): { field: Field; rank: number } | undefined {
  for (const field of Object.keys(vocabulary) as Field[]) {
    const rank = vocabulary[field].findIndex((known) =>
      typeof known === 'string' ? known === name : known.test(name),
    )
    if (rank >= 0) return { field, rank }
  }
  return undefined
}

/** The indexes of the columns of each field, best first. */
export function recognizeBy<Field extends string>(
  vocabulary: Vocabulary<Field>,
  header: readonly string[],
): Map<Field, number[]> {
  const found = header
    .flatMap((name, index) => {
      const named = fieldNamedBy(vocabulary, name)
      return named ? [{ ...named, index }] : []
    })
    .sort((one, other) => one.rank - other.rank || one.index - other.index)
  const fields = Object.keys(vocabulary) as Field[]
  return new Map(
    fields
      .map((field): [Field, number[]] => [
        field,
        found.filter((column) => column.field === field).map(({ index }) => index),
      ])
      .filter(([, indexes]) => indexes.length > 0),
  )
}
