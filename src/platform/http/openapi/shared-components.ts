import type { Operation } from './documented-errors.ts'

type Named = Record<string, object>

interface Message {
  content?: Record<string, { example?: unknown }>
  headers?: Named
}

/**
 * Moves examples, and parameters, response headers and responses that repeat, into components.
 * @returns the operations, in their order, with references to the components
 */
export function shareComponents(operations: Operation[]): {
  operations: Operation[]
  components: Record<string, Named>
} {
  const components = new Components()
  const share = (operation: Operation) => shareParts(operation, components)
  // Nothing becomes a reference before everything has been counted.
  operations.forEach(share)
  components.startSharing()
  return { operations: operations.map(share), components: components.components }
}

function shareParts(operation: Operation, components: Components): Operation {
  const { operationId = '', parameters, requestBody, responses = {} } = operation
  const shareParameter = <T extends object>({ required, ...parameter }: T & { required?: boolean }) => {
    const { name } = parameter as unknown as { name: string }
    return components.share(
      'parameters',
      required ? { ...parameter, required } : parameter,
      name,
      operationId,
    )
  }
  const sharedResponses = Object.entries(responses).map(([status, response]) => {
    const name = `${operationId}${Number(status) < 300 ? 'Response' : status}`
    const content = shareMessage(response as Message, name, operationId, components)
    return [status, components.share('responses', response, name, operationId, content)]
  })
  return {
    ...operation,
    ...(parameters && { parameters: parameters.map(shareParameter) as typeof parameters }),
    ...(requestBody && {
      requestBody: shareMessage(requestBody as Message, `${operationId}Request`, operationId, components),
    }),
    responses: Object.fromEntries(sharedResponses),
  } as Operation
}

function shareMessage(message: Message, name: string, operationId: string, components: Components): Message {
  const { content, headers } = message
  const media = Object.entries(content ?? {}).map(([type, { example, ...rest }]) => {
    if (example === undefined) return [type, rest]
    const shared = components.share('examples', { value: example }, name, operationId)
    return [type, '$ref' in shared ? { ...rest, examples: { example: shared } } : { ...rest, example }]
  })
  const named = Object.entries(headers ?? {}).map(([header, value]) => [
    header,
    components.share('headers', value, header, operationId),
  ])
  return {
    ...message,
    ...(content && { content: Object.fromEntries(media) }),
    ...(headers && { headers: Object.fromEntries(named) }),
  }
}

/** Counts objects, then replaces those that occur more than once with references. */
class Components {
  readonly components: Record<string, Named> = {}
  readonly #counts = new Map<string, number>()
  readonly #names = new Map<string, string>()
  #isSharing = false

  startSharing(): void {
    this.#isSharing = true
  }

  /**
   * Returns a reference to the value if it occurs more than once, else its content.
   * @param name of the component; qualified by the operation if another component has it
   * @param content the value with its own parts already shared
   */
  share(kind: string, value: object, name: string, operationId: string, content = value): object {
    if ('$ref' in value) return value
    const key = kind + JSON.stringify(value)
    if (!this.#isSharing) this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
    // Generators of types repeat inline examples as comments, so examples always become components.
    const isShared = kind === 'examples' || (this.#counts.get(key) ?? 0) > 1
    if (!this.#isSharing || !isShared) return content
    this.components[kind] ??= {}
    const named = this.components[kind]
    const known = this.#names.get(key) ?? (name in named ? `${name}-${operationId}` : name)
    this.#names.set(key, known)
    named[known] = content
    return { $ref: `#/components/${kind}/${known}` }
  }
}
