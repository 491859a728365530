type Node = Record<string, unknown>

/** Keywords whose values are data: a title in them does not name a schema. */
const DATA = new Set(['example', 'examples', 'default', 'enum'])

/** Keywords that only our own validation uses. */
const INTERNAL = new Set(['x-normalize', 'x-capped', 'x-repeated', 'x-numbers-checked', 'x-max-size'])

/**
 * Replaces each schema that has a title with a reference.
 * @param part a part of an OpenAPI document
 * @param schemas receives the referenced schemas by title
 * @throws Error if two different schemas have the same title
 */
export function withReferences<T>(part: T, schemas: Record<string, unknown>): T {
  return convert(part, schemas) as T
}

function convert(value: unknown, schemas: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((item) => convert(item, schemas))
  if (typeof value !== 'object' || value === null) return value
  const { title, 'x-documented-as': documented, ...own } = value as Node
  // A recursive schema refers to itself by name, which validation does not know.
  const keywords = (documented ?? own) as Node
  const converted = Object.fromEntries(
    Object.entries(keywords)
      .filter(([keyword]) => !INTERNAL.has(keyword))
      .map(([keyword, child]) => [keyword, convertKeyword(keyword, child, schemas)]),
  )
  return typeof title === 'string' ? referenceTo(title, converted, schemas) : converted
}

function convertKeyword(keyword: string, value: unknown, schemas: Record<string, unknown>): unknown {
  if (DATA.has(keyword)) return value
  if (keyword !== 'properties') return convert(value, schemas)
  const properties = Object.entries(value as Node)
  return Object.fromEntries(properties.map(([name, schema]) => [name, convert(schema, schemas)]))
}

function referenceTo(title: string, schema: Node, schemas: Record<string, unknown>) {
  const known = schemas[title]
  if (known && JSON.stringify(known) !== JSON.stringify(schema))
    throw new Error(`Two different schemas have the title ${title}.`)
  schemas[title] = schema
  return { $ref: `#/components/schemas/${title}` }
}
