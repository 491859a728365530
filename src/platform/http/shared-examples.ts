import type { OpenAPIV3_1 } from 'openapi-types'

type Examples = Record<string, OpenAPIV3_1.ExampleObject>
type Content = Record<string, OpenAPIV3_1.MediaTypeObject>

/** The operation with references to its examples of JSON. `examples` gets them, equal ones once. */
export function withSharedExamples(operation: OpenAPIV3_1.OperationObject, examples: Examples) {
  const { operationId, requestBody, responses = {} } = operation
  const share = <T extends object>(part: T, suffix: string): T =>
    'content' in part
      ? { ...part, content: shareExamples(part.content as Content, `${operationId}${suffix}`, examples) }
      : part
  return {
    ...operation,
    ...(requestBody ? { requestBody: share(requestBody, 'Request') } : {}),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [
        status,
        Number(status) < 300 ? share(response, 'Response') : response,
      ]),
    ),
  }
}

const shareExamples = (content: Content, name: string, examples: Examples): Content =>
  Object.fromEntries(
    Object.entries(content).map(([type, { example, ...media }]) => {
      if (example === undefined) return [type, media]
      if (type !== 'application/json') return [type, { ...media, example }]
      const $ref = referenceTo(example, name, examples)
      return [type, { ...media, examples: { example: { $ref } } }]
    }),
  )

function referenceTo(value: unknown, name: string, examples: Examples): string {
  const text = JSON.stringify(value)
  const known = Object.keys(examples).find((other) => JSON.stringify(examples[other]?.value) === text)
  if (!known) examples[name] = { value }
  return `#/components/examples/${known ?? name}`
}
