import type { Plugin } from 'vite'
import type { Endpoint } from '#src/platform/schema/shapes.ts'

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'url' in value && 'schema' in value

const isConstant = (value: unknown): boolean =>
  ['string', 'number'].includes(typeof value) || (Array.isArray(value) && value.every(isConstant))

/**
 * A Vite plugin that strips the schemas down to what the client needs in a browser: the address and media types of
 * each operation, whether it takes a key, and constants such as the known stages. The rest, with TypeBox, would add a
 * tenth to the scripts.
 */
export const operationsOnly = (): Plugin => ({
  name: 'operations-only',
  async load(id) {
    if (!/\/src\/features\/(?:[a-z-]+\/)+(?:[a-z-]+-)?schema\.ts$/.test(id)) return null
    const exported = Object.entries(await import(id))
    return exported.map(([name, value]) => `export const ${name} = ${JSON.stringify(kept(value))}`).join('\n')
  },
})

/** A constant, an endpoint without its schemas, or endpoints by name. */
function kept(value: unknown): unknown {
  if (isConstant(value)) return value
  if (isEndpoint(value)) {
    const { consumes, produces, 'x-idempotency': idempotency } = value.schema
    const schema = { consumes, produces, 'x-idempotency': idempotency }
    return { method: value.method, url: value.url, schema }
  }
  if (typeof value !== 'object' || value === null || !Object.values(value).some(isEndpoint)) return undefined
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, kept(one)]))
}
