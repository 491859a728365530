interface Node {
  type?: string | string[]
  properties?: Record<string, Node>
  patternProperties?: Record<string, Node>
  additionalProperties?: boolean | Node
  items?: Node | Node[]
  anyOf?: Node[]
  enum?: unknown[]
  readOnly?: boolean
  'x-numbers-checked'?: boolean
}

/**
 * Whether a schema has a field for any JSON, in which integers of any size must keep their digits. Read-only fields have
 * some only beside fields that can be written. The checks of filters and of custom values limit their numbers.
 */
export const hasFreeJson = (schema: object): boolean => isFree(schema as Node)

function isFree(node: Node): boolean {
  if (node.readOnly || node['x-numbers-checked'] || node.enum) return false
  if (node.anyOf) return node.anyOf.some(isFree)
  const types = [node.type ?? []].flat()
  if (types.length === 0) return true
  const { properties = {}, patternProperties = {}, additionalProperties = true, items = {} } = node
  const isFreeObject = () =>
    additionalProperties === true ||
    (additionalProperties !== false && isFree(additionalProperties)) ||
    [properties, patternProperties].some((nodes) => Object.values(nodes).some(isFree))
  return (
    (types.includes('object') && isFreeObject()) || (types.includes('array') && [items].flat().some(isFree))
  )
}
