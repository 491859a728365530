import type { Plugin } from 'vite'
import type { Endpoint } from '#src/platform/schema/shapes.ts'

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'url' in value && 'schema' in value

const isConstant = (value: unknown): boolean =>
  ['string', 'number'].includes(typeof value) || (Array.isArray(value) && value.every(isConstant))

/**
 * Leaves of the schemas what the client needs in a browser: where each operation is and what it takes and gives, and
 * constants such as the known stages. The rest, and TypeBox with it, would be a tenth of the scripts.
 */
export const operationsOnly = (): Plugin => ({
  name: 'operations-only',
  async load(id) {
    if (!/\/src\/features\/(?:[a-z-]+\/)+(?:[a-z-]+-)?schema\.ts$/.test(id)) return null
    const exported = Object.entries(await import(id))
    const kept = exported.map(([name, value]) => {
      if (isConstant(value)) return [name, value]
      if (!isEndpoint(value)) return [name, undefined]
      const { consumes, produces } = value.schema
      return [name, { method: value.method, url: value.url, schema: { consumes, produces } }]
    })
    return kept.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`).join('\n')
  },
})
