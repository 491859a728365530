interface ObjectSchema {
  [keyword: string]: unknown
  properties?: Record<string, object>
  required?: string[]
}

type Schemas = Record<string, ObjectSchema>

/** Removes repetition from the named schemas of an OpenAPI document by references and `allOf`. */
export const withoutRepetition = (schemas: Record<string, unknown>): Record<string, unknown> =>
  withInheritance(withNamedProperties(schemas as Schemas))

const MIN_SHARED_LENGTH = 60

/** Makes a schema of each property that several objects have in common, such as `CountryCode`. */
function withNamedProperties(schemas: Schemas): Schemas {
  const names = nameRepeatedProperties(schemas)
  const named: Schemas = {}
  const share = (property: string, value: object): object => {
    const name = names.get(keyOf(property, value))
    if (!name) return value
    named[name] = value as ObjectSchema
    return { $ref: `#/components/schemas/${name}` }
  }
  const shared = Object.entries(schemas).map(([name, schema]) => {
    if (!schema.properties) return [name, schema]
    const properties = Object.entries(schema.properties).map(([key, value]) => [key, share(key, value)])
    return [name, { ...schema, properties: Object.fromEntries(properties) }]
  })
  return { ...Object.fromEntries(shared), ...named }
}

const keyOf = (property: string, value: object): string => `${property} ${JSON.stringify(value)}`

/** Names repeated properties after themselves, or together with their shortest object if two of them differ. */
function nameRepeatedProperties(schemas: Schemas): Map<string, string> {
  const owners = new Map<string, { property: string; objects: string[] }>()
  for (const [object, { properties = {} }] of Object.entries(schemas))
    for (const [property, value] of Object.entries(properties)) {
      const key = keyOf(property, value)
      const { objects } = owners.get(key) ?? { objects: [] }
      if (JSON.stringify(value).length >= MIN_SHARED_LENGTH)
        owners.set(key, { property, objects: [...objects, object] })
    }
  const repeated = [...owners].filter(([, { objects }]) => objects.length > 1)
  return new Map(
    repeated.map(([key, { property, objects }]) => {
      const isAmbiguous = repeated.some(([other, owner]) => other !== key && owner.property === property)
      const [shortest = ''] = objects.toSorted((a, b) => a.length - b.length)
      const name = pascalCase(property)
      return [key, isAmbiguous || name in schemas ? `${shortest}${name}` : name]
    }),
  )
}

const pascalCase = (name: string): string =>
  name.replace(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase())

/**
 * Describes each schema that has all properties of another one as an extension of it (`allOf`).
 * @param schemas by name
 */
const withInheritance = (schemas: Schemas): Schemas =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const bases = Object.entries(schemas)
        .filter(([, base]) => extendsBase(schema, base))
        .sort(([, a], [, b]) => propertyCount(b) - propertyCount(a))
      const [[baseName, base] = []] = bases
      return [name, baseName && base ? extensionOf(schema, baseName, base) : schema]
    }),
  )

const propertyCount = ({ properties = {} }: ObjectSchema): number => Object.keys(properties).length

/** Objects that reject unknown properties cannot be combined. */
function extendsBase(schema: ObjectSchema, base: ObjectSchema): boolean {
  const { properties = {}, required = [] } = schema
  if ('additionalProperties' in schema || 'additionalProperties' in base) return false
  if (propertyCount(base) === 0 || propertyCount(base) >= propertyCount(schema)) return false
  return (
    Object.entries(base.properties ?? {}).every(
      ([name, value]) => JSON.stringify(properties[name]) === JSON.stringify(value),
    ) && (base.required ?? []).every((name) => required.includes(name))
  )
}

function extensionOf(schema: ObjectSchema, baseName: string, base: ObjectSchema): ObjectSchema {
  const { type, properties = {}, required = [], ...rest } = schema
  const added = Object.entries(properties).filter(([name]) => !(name in (base.properties ?? {})))
  const addedRequired = required.filter((name) => !base.required?.includes(name))
  return {
    ...rest,
    allOf: [
      { $ref: `#/components/schemas/${baseName}` },
      {
        type,
        properties: Object.fromEntries(added),
        ...(addedRequired.length > 0 && { required: addedRequired }),
      },
    ],
  }
}
