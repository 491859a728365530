import { ErrorBody } from '#src/platform/schema/shapes.ts'
import { compileValidator } from '#src/platform/schema/validate.ts'

const isText = (payload: unknown) => (typeof payload === 'string' ? payload !== '' : Buffer.isBuffer(payload))

const checks = new Map<object, (value: unknown) => string | undefined>()

/** @throws Error if a response does not match its schema in the OpenAPI document */
export function checkAnswer(schema: unknown, status: number, contentType: string, payload: unknown): void {
  if (!contentType.startsWith('application/json') || !isText(payload)) return
  const { hide, response } = (schema ?? {}) as { hide?: boolean; response?: Record<number, object> }
  if (hide) return
  const shape = status >= 400 ? ErrorBody : response?.[status]
  if (!shape) throw new Error(`The schema does not list status ${status}.`)
  if (!checks.has(shape)) checks.set(shape, compileValidator(shape))
  const error = checks.get(shape)?.(JSON.parse(String(payload)))
  if (error) throw new Error(`The answer does not match its schema: ${error}`)
}
